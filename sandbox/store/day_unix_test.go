//go:build unix

package store_test

import (
	"database/sql"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/gateway"
	"github.com/chargecast/chargecast/internal/testpayload"
	"github.com/chargecast/chargecast/sandbox/store"
	"github.com/chargecast/chargecast/signature"
)

// BenchmarkDay sets a day on which all profiles are due against its limit: the same rows, written
// to the same file in one transaction with nothing computed. Both sides take turns; ratio is that
// of the two minima, and cpu-ratio that of the least time of a processor, which other programs
// disturb less. CHARGECAST_PROFILES sets another number of profiles.
func BenchmarkDay(b *testing.B) {
	profiles := 5_000
	if text := os.Getenv("CHARGECAST_PROFILES"); text != "" {
		n, err := strconv.Atoi(text)
		must(b, err)
		profiles = n
	}
	dir := b.TempDir()
	before, after := filepath.Join(dir, "before.db"), filepath.Join(dir, "after.db")
	dueBefore(b, before, profiles)
	runDay(b, before, after, profiles)
	rows := changedRows(b, after, profiles)

	var ours, limit cost
	for b.Loop() {
		ours = ours.least(runDay(b, before, filepath.Join(dir, "ours.db"), profiles))
		limit = limit.least(writeRows(b, before, filepath.Join(dir, "limit.db"), rows))
	}
	b.ReportMetric(float64(ours.wall)/float64(limit.wall), "ratio")
	b.ReportMetric(float64(ours.cpu)/float64(limit.cpu), "cpu-ratio")
	b.ReportMetric(float64(ours.cpu.Nanoseconds())/float64(profiles), "cpu-ns/profile")
	b.ReportMetric(float64(limit.cpu.Nanoseconds())/float64(profiles), "limit-cpu-ns/profile")
}

var benchmarkStart = calendar.MustParse("2026-01-01")

// A cost is what a run took; the zero value is none.
type cost struct{ wall, cpu time.Duration }

func (c cost) least(d cost) cost {
	if c.wall == 0 {
		return d
	}
	return cost{min(c.wall, d.wall), min(c.cpu, d.cpu)}
}

// timed returns what a function took.
func timed(b *testing.B, do func()) cost {
	begin, used := time.Now(), processor(b)
	do()
	return cost{time.Since(begin), processor(b) - used}
}

// processor returns the time that this process had of the processors, outside the system.
func processor(b *testing.B) time.Duration {
	var u syscall.Rusage
	must(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano())
}

func must(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// dueBefore makes a store with profiles whose columns are all filled and that are due on the day
// after the start.
func dueBefore(b *testing.B, path string, profiles int) {
	const part = 10_000 // of a request, whose body is limited
	gw := startGateway(b, path)
	_, err := gw.Register(b.Context(), gateway.Registration{Login: "m1", Endpoint: "1001", ControlKey: "key"})
	must(b, err)
	for from := 0; from < profiles; from += part {
		post(b, gw, from, min(from+part, profiles))
	}
	must(b, gw.Close())
}

func startGateway(b *testing.B, path string) *gateway.Gateway {
	s, err := store.Open(b.Context(), path)
	must(b, err)
	gw, err := gateway.New(b.Context(), gateway.Config{Store: s, AsOf: benchmarkStart, Key: make([]byte, 32), Callbacks: gateway.CallbacksOff})
	must(b, err)
	return gw
}

// post sends the profiles from one number up to another, with a signed request.
func post(b *testing.B, gw *gateway.Gateway, from, to int) {
	const target, form = "http://gate.example.com/paynet/api/v4/create-recurring-payments/1001", "application/x-www-form-urlencoded"
	var rows []map[string]string
	for n := from; n < to; n++ {
		rows = append(rows, map[string]string{
			"client-orderid": fmt.Sprintf("order-%06d", n), "address1": "Street " + strconv.Itoa(n), "email": fmt.Sprintf("anna%d@example.com", n),
			"phone": "+491234567", "order_desc": "A box a month", "period": "month", "interval": "1", "start-date": "02.01.2026",
		})
	}
	body := testpayload.Body(testpayload.Payload(nil, rows...))
	secret, err := signature.NewHMACKey("key")
	must(b, err)
	signed, _, err := signature.Sign(signature.NewRequest("POST", target).WithBody(form, body),
		signature.OAuth{ConsumerKey: "m1", Nonce: strconv.Itoa(from), Timestamp: "1"}, secret)
	must(b, err)
	r := httptest.NewRequest("POST", target, strings.NewReader(body))
	r.Header.Set("Content-Type", form)
	r.Header.Set("Authorization", signed.Authorization())
	answer := httptest.NewRecorder()
	if gw.ServeHTTP(answer, r); answer.Code != http.StatusOK {
		b.Fatalf("a request was answered with %d: %s", answer.Code, answer.Body)
	}
}

// copyTo copies a store that is closed, in the place of an earlier copy.
func copyTo(b *testing.B, from, to string) {
	for _, suffix := range []string{"-wal", "-shm", ".lock"} {
		_ = os.Remove(to + suffix)
	}
	content, err := os.ReadFile(from)
	must(b, err)
	must(b, os.WriteFile(to, content, 0o600))
}

// runDay runs the day in a copy of a store.
func runDay(b *testing.B, from, to string, profiles int) (c cost) {
	copyTo(b, from, to)
	gw := startGateway(b, to)
	runtime.GC()
	c = timed(b, func() {
		a, err := gw.Advance(b.Context(), benchmarkStart.AddDays(1))
		if err != nil || a.Charges != profiles {
			b.Fatalf("%+v, %v", a, err)
		}
	})
	must(b, gw.Close())
	return c
}

// A row is one of a table, with all of its columns.
type row struct {
	kind   string
	values []any
}

// changedRows are the rows that the day wrote, in its order: each profile with its charge, and the
// clock.
func changedRows(b *testing.B, path string, profiles int) (list []row) {
	db, err := sql.Open("sqlite", "file:"+path)
	must(b, err)
	defer func() { must(b, db.Close()) }()
	read := func(kind string) (list []row) {
		rows, err := db.QueryContext(b.Context(), "SELECT * FROM "+kind+" ORDER BY 1")
		must(b, err)
		defer func() { must(b, rows.Close()) }()
		names, err := rows.Columns()
		must(b, err)
		for rows.Next() {
			r := row{kind, make([]any, len(names))}
			to := make([]any, len(names))
			for i := range to {
				to[i] = &r.values[i]
			}
			must(b, rows.Scan(to...))
			list = append(list, r)
		}
		must(b, rows.Err())
		return list
	}
	all, charges := read("profiles"), read("charges")
	if len(all) != profiles || len(charges) != profiles {
		b.Fatalf("%d profiles and %d charges", len(all), len(charges))
	}
	for i := range all {
		list = append(list, all[i], charges[i])
	}
	return append(list, read("clock")...)
}

// writeRows writes rows into a copy of a store.
func writeRows(b *testing.B, from, to string, rows []row) (c cost) {
	copyTo(b, from, to)
	db, err := sql.Open("sqlite", "file:"+to+"?_pragma=synchronous(FULL)")
	must(b, err)
	defer func() { must(b, db.Close()) }()
	runtime.GC()
	return timed(b, func() {
		tx, err := db.BeginTx(b.Context(), nil)
		must(b, err)
		made := map[string]*sql.Stmt{}
		for _, r := range rows {
			if made[r.kind] == nil {
				made[r.kind], err = tx.PrepareContext(b.Context(), "INSERT OR REPLACE INTO "+r.kind+" VALUES (?"+strings.Repeat(", ?", len(r.values)-1)+")")
				must(b, err)
			}
			_, err := made[r.kind].ExecContext(b.Context(), r.values...)
			must(b, err)
		}
		must(b, tx.Commit())
	})
}
