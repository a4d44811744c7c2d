// Package chargecast names the module; its rooms do the work.
//
//   - engine tells what one recurring payment profile will charge, and when
//   - rules reads and validates payloads, the CSV with one profile a row
//   - signature signs, verifies and diagnoses the OAuth 1.0 header of a request
//   - amount and calendar are exact money and civil dates
//   - fuzz holds any implementation against the laws of all these
//
// The command is cmd/chargecast. What the rooms may import of each other is a test of this package.
package chargecast
