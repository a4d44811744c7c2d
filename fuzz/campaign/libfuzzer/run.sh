#!/usr/bin/env bash
# Runs programs of build.sh on a corpus of chargecast-conform, whose next run reads what they add.
#   bash fuzz/campaign/libfuzzer/run.sh OUT CORPUS SECONDS      so many seconds in all; with 0 the inputs are only replayed
# libFuzzer begins with the corpus and the seeds of build.sh, which are not copied into the corpus.
# A failing input is left in CORPUS/failing/libfuzzer, where the campaign tries it again; the exit code is 1 then.
set -euo pipefail
out=$(cd "$1" && pwd)
mkdir -p "$2"
corpus=$(cd "$2" && pwd)
mapfile -t programs < <(find "$out" -maxdepth 1 -type f -name 'Fuzz*' ! -name '*.*' | sort)
[ ${#programs[@]} -gt 0 ] || { echo "no programs in $1" >&2; exit 1; }
each=$(($3 / ${#programs[@]}))
if [ "$each" -lt 1 ]; then each=1; fi
span=(-max_total_time="$each")
if [ "$3" = 0 ]; then span=(-runs=0); fi
seeds=$(mktemp -d)
trap 'rm -rf "$seeds"' EXIT
unzip=1
command -v unzip >/dev/null || { unzip=0; echo 'SKIPPED: unzip is not installed: the seeds are not run'; }
failed=0
for program in "${programs[@]}"; do
	target=$(basename "$program")
	raw=$corpus/raw/$target
	mkdir -p "$raw" "$seeds/$target" "$corpus/failing/libfuzzer"
	if [ -d "$raw.old" ]; then # a merge was cut off before it was done with them
		cp -R "$raw.old/." "$raw"
		rm -rf "$raw.old"
	fi
	if [ "$unzip" = 1 ] && [ -f "${program}_seed_corpus.zip" ]; then unzip -q "${program}_seed_corpus.zip" -d "$seeds/$target"; fi
	flags=("${span[@]}" -timeout=25 -report_slow_units=25 -rss_limit_mb=2560 -print_final_stats=1 -artifact_prefix="$corpus/failing/libfuzzer/$target-")
	if [ -f "$program.dict" ]; then flags+=(-dict="$program.dict"); fi
	echo "== $target"
	# What is new goes to the first directory.
	"$program" "${flags[@]}" "$raw" "$seeds/$target" 2>"$out/$target.log" || { failed=1; tail -40 "$out/$target.log"; continue; }
	grep -E 'stat::number_of_executed_units|stat::new_units_added' "$out/$target.log" || true
	if [ "$3" = 0 ]; then continue; fi
	# What reaches nothing new goes: the smallest inputs that reach the same are kept.
	rm -rf "$raw.merged" && mkdir "$raw.merged"
	if "$program" -merge=1 "$raw.merged" "$raw" 2>>"$out/$target.log"; then
		mv "$raw" "$raw.old"
		mv "$raw.merged" "$raw"
		rm -rf "$corpus/native/$target" "$raw.old" # the campaign makes native from raw
	else
		rm -rf "$raw.merged"
	fi
done
exit "$failed"
