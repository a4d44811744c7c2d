// Chargecast-sandbox is the payment gateway of the document as a server that keeps its state in one
// file: an integrator's code sends it signed requests, and its admin interface moves the clock,
// shows every charge and says why a request was refused.
//
// The first line on stdout is a JSON object that says where the server listens; nothing else is
// written there. The log goes to stderr. Exit codes: 0 after INT or TERM, 2 for flags and a
// configuration that cannot be used, 3 for a store or another file that cannot be read, 4 for
// anything else, 75 if a restart fault ended it: the next start goes on.
package main

import "github.com/chargecast/chargecast/sandbox/server"

// stamped is the version that a release writes in with the linker's -X.
var stamped string

func main() { server.Main(stamped) }
