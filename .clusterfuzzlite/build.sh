#!/bin/bash -eu
# The native targets of all packages, for the engine of the image.
cd "$SRC/chargecast"
go install github.com/AdamKorcz/go-118-fuzz-build@latest
go get github.com/AdamKorcz/go-118-fuzz-build/testing
module=$(go list -m)
while IFS= read -r pkg; do
	while IFS= read -r target; do
		compile_native_go_fuzzer "$pkg" "$target" "$(tr / _ <<<"${pkg#"$module"/}")_$target"
	done < <(go test -list '^Fuzz' "$pkg" | grep '^Fuzz' || true)
done < <(go list ./...)
