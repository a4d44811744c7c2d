// Package gateway is the payment gateway of the document, in process: an http.Handler that takes
// signed create requests, keeps the profiles that they create, lets days pass on a clock of its
// own, and sends callbacks. It is for tests and trials: package gatewaytest starts one in a line.
//
// What an integrator gets to see of the real service is 200 or 403 with an empty body. This one
// answers the same, and gives the reason for every request on its admin interface.
//
// # Create requests
//
// A create request (4.1) is answered with 200 and creates one profile a row, or with 403 and
// creates none (L48); [Reason] lists why, in the order in which a request is judged. Requests are
// dispatched on the target as it was sent: nothing is cleaned, decoded or redirected. The signature
// is verified before the payload is decoded, over the URL that the client signed. Timestamps and
// nonces are checked for merchants that want it (L63). Operations that the document does not show
// are refused.
//
// An http.Handler sees only what package net/http could read: the rest is answered by the server,
// with a status and a text of its own. A [Server] replaces these answers by the document's 403 and
// has limits for slow clients: no request is answered with anything but 200 or 403, the admin
// interface aside.
//
// A body is read before its signature can be verified. [Config.MaxBody] limits each body, and
// [Config.MaxBodies] all that are under way together; judging a request takes some three times the
// memory of its body.
//
// # Days
//
// All merchants share one clock. The run of the day that it shows has taken place: what a request
// or an event does on that day comes after it, except that a new profile has a first run of its own
// (2.2.4). What happens on a day is decided by package engine alone: every profile has the charges
// that [engine.Engine.Simulate] gives for the same events and outcomes. Random amounts are drawn
// from a seed, ids are counted: the same requests and days give the same bytes.
//
// # The admin interface
//
// Below /_sandbox/v1/ lies a JSON interface, described by its openapi.json: merchants, profiles and
// their events, the clock, outcomes, requests with their reasons, callbacks, charges and
// snapshots. It has no access control: keep it out of reach of others. /healthz and
// /metrics lie at the root.
//
// # Callbacks
//
// For each attempt to charge, a form is posted to the profile's callback address (6), at least once
// and in order per profile, and again after a failure. The document does not show what is in it:
// the content is ours, marked with the header X-Chargecast-Sandbox. A merchant can have a template
// of its own. By default callbacks reach this machine alone; redirects are not followed.
//
// # Stores
//
// What a gateway knows is in a [Store]. A change takes place in one transaction: a request that was
// answered with 200 is durable if the store is, and a day is run whole or not at all. An advance of
// the clock that was interrupted goes on when the gateway is opened again.
//
// # Secrets
//
// A card number is kept as its first 6 and last 4 digits and a keyed hash, cvv2 is checked and
// dropped, personal data is masked, in the texts of a profile too, and control keys and callback
// addresses are encrypted with [Config.Key]. Nothing of them is in an answer, in a log or in the
// store; a callback address is shown without userinfo and query values. A request that was refused
// for its signature is held in memory until it was diagnosed, or 64 later ones were refused.
package gateway
