//go:build libfuzzer

// Command libfuzzer is the entry of libFuzzer to one native target. build.sh builds one program a
// target.
package main

// #include <stddef.h>
import "C"

import (
	"os"
	"unsafe"

	"github.com/chargecast/chargecast/fuzz/target"
)

// name is the target's name; the linker sets it.
var name string

// body is the target's body, looked up once: the engine calls it a thousand times a second.
var body = find()

func find() func([]byte) {
	for _, t := range target.Targets() {
		if t.Name == name {
			return t.Body
		}
	}
	os.Stderr.WriteString("no target is called " + name + "\n")
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
