// Package store keeps what a gateway knows in one SQLite file.
//
// Each record is a row: its [gateway.Key] as columns, the rest as JSON. A change is one
// transaction, which is on the disk (synchronous=FULL, with a write-ahead log) before Update
// returns. One process at a time has a store open: the file beside it that ends with ".lock" is
// locked meanwhile, and the system gives the lock up when the process ends, however it ends.
package store
