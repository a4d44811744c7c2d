// Chargecast-conform judges a program in any language against the laws of the domain, over JSON lines, or chargecast itself
// on ever new cases. It is apart from chargecast, so that nobody who forecasts carries the kit.
//
//	chargecast-conform -- ./my-scheduler
//	chargecast-conform repro cc3:T07::0:17 -- ./my-scheduler
//	chargecast-conform --time 1h --dir corpus
//
// docs/fuzz-your-own.md says how to begin, docs/conform-protocol.md describes the protocol, docs/campaigns.md long runs.
package main
