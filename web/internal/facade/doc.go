// Package facade answers JSON requests with the engine: the one function under the page and under
// web/host.mjs.
//
// A request is an object with id, op and the members of the operation; the reply is one line with
// the same id. The operations of the protocol chargecast.conform/1 (hello, forecast, simulate,
// validate, decode, encode, base-string, sign, verify) have its replies. Beside them are totals,
// explain, fix, check, reconcile, compare, overview and lookup, whose replies carry the records of
// the command under records. A forecast may be asked about one row, by columns, or about a whole
// payload, by csv.
//
// Bytes travel as a string, as {"b64":"…"}, or as {"held":"name"}: bytes that the host gave to
// [Server.Hold] before. What is wrong with a request is
// {"id":…,"error":{"code":"…","message":"…"}}; what is wrong with an input are problems. No reply
// holds a secret, a key, or a value that the command would mask.
package facade
