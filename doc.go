// Package chargecast names the module; its rooms do the work.
//
//   - engine forecasts what one recurring payment profile will charge, and when
//   - rules reads and validates payloads, the CSV with one profile a row
//   - signature signs, verifies and diagnoses the OAuth 1.0 header of a request
//   - gateway simulates the gateway: requests, callbacks and a clock to turn
//   - record and report write what is forecast, for programs and for people
//   - reconcile compares charges that took place with a forecast
//   - ledger says what the gateway's document states and what it leaves open
//   - amount and calendar are exact money and civil dates
//   - fuzz tests any implementation against the laws of all these
//
// The command is cmd/chargecast. What the rooms may import of each other is a test of this package.
package chargecast
