// Package storetest checks implementations of [gateway.Store]: the one in memory, and that of the
// sandbox.
package storetest

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"github.com/chargecast/chargecast/gateway"
)

// A Maker makes stores for tests.
type Maker struct {
	// New returns a new, empty store. The caller closes it.
	New func(t *testing.T) gateway.Store
	// Reopen closes a store and returns another one on what it kept; nil for stores that keep nothing.
	Reopen func(t *testing.T, s gateway.Store) gateway.Store
	// Kill returns another store on what was durable in s when its process was killed: s was not
	// closed before, and is of no further use. Nil for stores that are not killed.
	Kill func(t *testing.T, s gateway.Store) gateway.Store
}

// Run checks that stores do what [gateway.Store] and [gateway.Tx] promise.
func Run(t *testing.T, m Maker) {
	for _, c := range []struct {
		name string
		test func(*testing.T, *tester)
	}{
		{"a new store is empty", newStore},
		{"records come back as they were put", roundTrip},
		{"lists are ordered, filtered and paged", listsOf},
		{"ids are counted and never given twice", ids},
		{"a failed transaction changes nothing", failures},
		{"a view changes nothing", views},
		{"profiles are found by the day on which they are due", dueDays},
		{"a nonce is new once", nonces},
		{"clearing drops what it should", clearing},
		{"a snapshot of everything is exact", wholeState},
		{"a closed store says so", closing},
		{"transactions take place one after the other", concurrent},
		{"callbacks of a profile come in order", callbacksInOrder},
		{"random transactions do what a plain model does", random},
		{"lists by profile and status are right after every change", byStatus},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := m.New(t)
			x := &tester{T: t, store: s, maker: m}
			defer func() { _ = x.store.Close() }()
			c.test(t, x)
		})
	}
}

// A tester is a store under test.
type tester struct {
	*testing.T
	store gateway.Store
	maker Maker
}

func (x *tester) check(err error) {
	if err != nil {
		x.Helper()
		x.Fatal(err)
	}
}

func (x *tester) update(do func(gateway.Tx)) {
	x.Helper()
	x.check(x.store.Update(context.Background(), func(tx gateway.Tx) error { do(tx); return nil }))
}

func (x *tester) view(do func(gateway.Tx)) {
	x.Helper()
	x.check(x.store.View(context.Background(), func(tx gateway.Tx) error { do(tx); return nil }))
}

// reopen closes the store and opens it again, if it is one that keeps something.
func (x *tester) reopen() {
	x.Helper()
	if x.maker.Reopen != nil {
		x.store = x.maker.Reopen(x.T, x.store)
	}
}

func (x *tester) equal(got, want any) {
	x.Helper()
	if !reflect.DeepEqual(got, want) {
		x.Errorf("got  %+v\nwant %+v", got, want)
	}
}

var errStop = errors.New("storetest: the transaction is to fail")
