#!/usr/bin/env bash
# Writes what the archives hold beside the programs: pages, completions, and the licences of all that is linked.
#   bash release/texts.sh DIR VERSION
set -euo pipefail
out=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# texts NAME MODULE PACKAGE writes the texts of one program into DIR/NAME.
texts() {
	local to="$out/$1" pattern
	mkdir -p "$to/completions" "$to/licences/std"
	cp "$(go env GOROOT)/LICENSE" "$to/licences/std/"
	go build -C "$2" -trimpath -buildvcs=false -o "$out/bin/$1" "$3"
	for shell in bash zsh fish powershell; do
		"$out/bin/$1" completion "$shell" >"$to/completions/$1.$shell"
	done
	go list -C "$2" -deps -f '{{with .Module}}{{.Path}} {{.Dir}}{{end}}' "$3" | sort -u | while read -r path dir; do
		mkdir -p "$to/licences/$path"
		case $path in github.com/chargecast/chargecast*) dir=$PWD ;; esac
		find "$dir" -maxdepth 1 -type f \( -iname 'licen[cs]e*' -o -iname 'copying*' -o -iname 'notice*' -o -iname 'patents*' \) ! -name '*.go' -exec cp {} "$to/licences/$path/" \;
		[ -n "$(ls "$to/licences/$path")" ] || { printf '%s has no licence: read it before it is shipped\n' "$path" >&2; exit 1; }
	done
}
go run -C release . pages -version "$2" -out "$out"
texts chargecast . ./cmd/chargecast
texts chargecast-conform . ./cmd/chargecast-conform
texts chargecast-sandbox sandbox .
