//go:build libfuzzer

// Command libfuzzer is the entry of libFuzzer to the native targets. build.sh links one program, and copies it under
// the name of each target: the name is how it knows what to run.
package main

// #include <stddef.h>
import "C"

import (
	"os"
	"path/filepath"
	"unsafe"

	"github.com/chargecast/chargecast/fuzz/campaign"
)

// body is the target's body, looked up once: the engine calls it a thousand times a second.
var body = find(filepath.Base(os.Args[0]))

func find(name string) func([]byte) {
	for _, t := range campaign.Targets() {
		if t.Name == name {
			return t.Body
		}
	}
	os.Stderr.WriteString("no target is called " + name + ": the program needs the name of one\n")
	os.Exit(2)
	return nil
}

// LLVMFuzzerTestOneInput gives the target one input, whose bytes are copied: the engine uses them again.
//
//export LLVMFuzzerTestOneInput
func LLVMFuzzerTestOneInput(data *C.char, size C.size_t) C.int {
	body(C.GoBytes(unsafe.Pointer(data), C.int(size)))
	return 0
}

func main() {}
