// Chargecast-beam makes the forecast of a book in many files with Apache Beam: the totals and charges
// of chargecast forecast and simulate, byte for byte. The README of the module says how to start it.
package main

import (
	"context"
	"os"

	"github.com/chargecast/chargecast/beam/job"
)

func main() { os.Exit(job.Main(context.Background(), os.Args[1:], os.Stderr)) }
