// This is chargecast-sandbox for go run in a clone; see its description in cmd/chargecast-sandbox.
package main

import "github.com/chargecast/chargecast/sandbox/server"

// stamped is the version that a release writes in with the linker's -X.
var stamped string

func main() { server.Main(stamped) }
