// Command generate writes the vectors of fuzz/vector/testdata that have no other author. Its output is
// the same each time; a test compares it with what is checked in.
//
//	go run ./fuzz/vector/generate [DIR]
//
// What a vector expects never comes from the code that it judges:
//
//   - forecast and simulate: the day-by-day walk of fuzz/oracle, which knows no date by its number
//   - payload: tables written by hand after the document and the catalogue of hostile inputs
//   - signature and diagnose: loops over bytes in this program, HMAC and RSA of the standard library
package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

func main() {
	dir := "fuzz/vector/testdata"
	if len(os.Args) == 2 {
		dir = os.Args[1]
	}
	out, err := generate()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for _, name := range slices.Sorted(maps.Keys(out)) {
		if err := os.WriteFile(filepath.Join(dir, name), out[name], 0o644); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// families are the files and what makes their vectors.
func families() map[string]func(*sheet) {
	return map[string]func(*sheet){
		"forecast-grid":    gridVectors,
		"forecast-stop":    stopVectors,
		"forecast-start":   startVectors,
		"forecast-amounts": amountVectors,
		"forecast-state":   stateVectors,
		"forecast-refused": refusedVectors,
		"simulate-events":  eventVectors,
		"simulate-pairs":   pairVectors,
		"simulate-keys":    keyVectors,
		"payload-columns":  columnVectors,
		"payload-rows":     rowVectors,
		"payload-csv":      csvVectors,
		"payload-wire":     wireVectors,
		"hostile-cells":    hostileVectors,
		"hostile-lines":    lineVectors,
		"hostile-signing":  signingVectors,
		"signature-text":   textVectors,
		"signature-base":   baseVectors,
		"signature-header": headerVectors,
		"signature-verify": verifyVectors,
		"diagnose":         diagnoseVectors,
		"response":         responseVectors,
	}
}

// generate returns the content of each file by its name.
func generate() (map[string][]byte, error) {
	out := map[string][]byte{}
	seen := map[string]string{}
	all := families()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		fill := all[name]
		s := &sheet{family: name}
		fill(s)
		for input, id := range s.inputs {
			for _, one := range []string{id, input} {
				if other, twice := seen[one]; twice {
					s.fail("%s, or its input, is in %s as well", id, other)
				}
				seen[one] = name
			}
		}
		if s.err != nil {
			return nil, fmt.Errorf("%s: %w", name, s.err)
		}
		out[name+".jsonl"] = s.out.Bytes()
	}
	rows, err := marshal(baseRows())
	out["rows.json"] = rows
	return out, err
}
