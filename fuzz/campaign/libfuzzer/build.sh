#!/usr/bin/env bash
# Builds the native targets for libFuzzer: in $OUT a program for each, with its dictionary and its seeds. The compiler
# and its flags are those of OSS-Fuzz and ClusterFuzzLite where they set them.
#   OUT=/tmp/out bash fuzz/campaign/libfuzzer/build.sh                    all targets
#   OUT=/tmp/out bash fuzz/campaign/libfuzzer/build.sh FuzzPEM_Load …     some
set -euo pipefail
mkdir -p "${OUT:?is the directory of the programs}"
OUT=$(cd "$OUT" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
: "${CXX:=clang++}" "${CXXFLAGS:=}" "${LIB_FUZZING_ENGINE:=-fsanitize=fuzzer}"
export CGO_ENABLED=1
command -v "$CXX" >/dev/null || { echo "$CXX is not installed" >&2; exit 1; }
zip=1
command -v zip >/dev/null || { zip=0; echo 'SKIPPED: zip is not installed: the programs have no seeds'; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The wrappers of the Go engine are the list: the table of targets is tested against them.
targets=("$@")
if [ $# = 0 ]; then
	mapfile -t targets < <(go test -list '^Fuzz' ./fuzz/campaign | grep '^Fuzz')
fi
[ ${#targets[@]} -gt 0 ] || { echo 'no targets' >&2; exit 1; }
go test ./fuzz/campaign -run '^TestSeeds$' -count=1 -seeds "$work/seeds"
for target in "${targets[@]}"; do
	[ -d "$work/seeds/$target" ] || { echo "no target is called $target" >&2; exit 1; }
done
# One program for all, which knows its target by its own name.
go build -tags=libfuzzer -gcflags=all=-d=libfuzzer -buildmode=c-archive -o "$work/targets.a" ./fuzz/campaign/libfuzzer
# The flags are lists.
# shellcheck disable=SC2086
"$CXX" $CXXFLAGS $LIB_FUZZING_ENGINE "$work/targets.a" -lpthread -o "$work/targets"
for target in "${targets[@]}"; do
	cp "$work/targets" "$OUT/$target"
	if [ -f "fuzz/campaign/testdata/dictionaries/$target.dict" ]; then
		cp "fuzz/campaign/testdata/dictionaries/$target.dict" "$OUT/$target.dict"
	fi
	rm -f "$OUT/${target}_seed_corpus.zip"
	if [ "$zip" = 1 ]; then
		(cd "$work/seeds/$target" && find . -type f | sort | zip -q "$OUT/${target}_seed_corpus.zip" -@)
	fi
	echo "built $target"
done
