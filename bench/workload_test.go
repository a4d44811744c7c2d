package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/csv"
	"encoding/hex"
	"math/big"
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/workload"
)

func TestGenerator(t *testing.T) {
	for _, c := range []struct {
		name string
		got  uint64
		want uint64
	}{
		{"workload.Mix(0)", workload.Mix(0), 0xe220a8397b1dcdaf},
		{"workload.Mix(1)", workload.Mix(1), 0x910a2dec89025cc1},
		{"u(0,0)", workload.Draw(0, 0), 0xa706dd2f4d197e6f},
		{"u(1,3)", workload.Draw(1, 3), 0xb1441d254bd86cd7},
	} {
		if c.got != c.want {
			t.Errorf("%s = %016x, want %016x", c.name, c.got, c.want)
		}
	}
}

// portfolioSizes are the check values of W1 beside [portfolioChecks]: profiles by unit, and charges
// in five years.
var portfolioSizes = [...]struct {
	profiles         uint64
	day, week, month int
	charges          int64
}{
	{1_000, 106, 210, 684, 287_308},
	{20_000, 2_014, 4_024, 13_962, 5_527_335},
	{1_000_000, 99_991, 199_963, 700_046, 274_900_346},
}

// charges counts by hand: every profile starts in January 2026, so a monthly one has a
// charge in each of the sixty months.
func (p profile) charges() int64 {
	switch p.unit {
	case calendar.UnitDay:
		return int64(portfolioDays - p.offset)
	case calendar.UnitWeek:
		return int64((portfolioDays - p.offset + 6) / 7)
	}
	return 60
}

func TestPortfolio(t *testing.T) {
	for _, want := range portfolioSizes {
		units := map[calendar.Unit]int{}
		totals := map[string]int64{}
		var charges int64
		for i := range want.profiles {
			p := portfolioProfile(i)
			units[p.unit]++
			charges += p.charges()
			totals[p.currency] += p.charges() * p.minor
		}
		if units[calendar.UnitDay] != want.day || units[calendar.UnitWeek] != want.week || units[calendar.UnitMonth] != want.month {
			t.Errorf("%d profiles: units %v", want.profiles, units)
		}
		if charges != want.charges {
			t.Errorf("%d profiles: %d charges, want %d", want.profiles, charges, want.charges)
		}
		for i, c := range portfolioCurrencies {
			if totals[c] != portfolioChecks[int(want.profiles)][i] {
				t.Errorf("%d profiles: %s %d, want %d", want.profiles, c, totals[c], portfolioChecks[int(want.profiles)][i])
			}
		}
	}
}

const (
	payloadSize   = 37_497_387
	payloadHash   = "68a21d311ba9985537f2aeec0f66f0c9ca2817065ee176fd3b4af3da4fe4a4b7"
	payloadBase64 = 49_996_516
	variedSize    = 37_319_374
	variedHash    = "6fd5d2b767b7c205b81b0c3b0cd1852f3d1c1a72f73c89e1ad88537b9f74a50b"
)

func TestPayload(t *testing.T) {
	var size int
	for _, want := range []struct {
		form workload.Form
		size int
		hash string
	}{
		{workload.Varied, variedSize, variedHash},
		{workload.Plain, payloadSize, payloadHash},
	} {
		text := workload.Payload(want.form, payloadRows)
		size = len(text)
		hash := sha256.Sum256(text)
		if got := hex.EncodeToString(hash[:]); size != want.size || got != want.hash {
			t.Errorf("form %d: %d bytes with hash %s", want.form, size, got)
		}
	}
	if got := base64.StdEncoding.EncodedLen(size); got != payloadBase64 {
		t.Errorf("base64 form: %d characters, want %d", got, payloadBase64)
	}
	if got := len(workload.Payload(workload.Plain, 1)); got != 793 {
		t.Errorf("header and row 0: %d bytes, want 793", got)
	}
}

// The variants differ from W3 in what they are named for and in nothing else.
func TestPayloadVariants(t *testing.T) {
	const rows = 100
	plain, crlf := workload.Payload(workload.Plain, rows), workload.Payload(workload.CRLF, rows)
	if !bytes.HasPrefix(crlf, []byte("\xef\xbb\xbf\"rp_card_type\"")) {
		t.Error("no byte-order mark")
	}
	if !bytes.Equal(plain, bytes.ReplaceAll(crlf[3:], []byte("\r\n"), []byte("\n"))) {
		t.Error("CRLF changes more than line ends")
	}
	good, bad := parsePayload(t, plain), parsePayload(t, workload.Payload(workload.Bad, rows))
	for i := range good {
		faults := 0
		for k := range good[i] {
			if good[i][k] != bad[i][k] {
				faults++
			}
		}
		// Record 0 is the header, so row i is record i+1.
		if want := map[bool]int{true: 3}[i > 0 && (i-1)%10 == 9]; faults != want {
			t.Errorf("record %d: %d differences, want %d", i, faults, want)
		}
	}
}

func parsePayload(t *testing.T, b []byte) [][]string {
	t.Helper()
	r := csv.NewReader(bytes.NewReader(b))
	r.Comma = ';'
	records, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(records[0]) != 33 {
		t.Fatalf("%d columns", len(records[0]))
	}
	return records
}

func TestSigningBytes(t *testing.T) {
	b := signingBytes(4)
	for k := range b {
		if b[k] != byte(workload.Mix(uint64(k))) {
			t.Errorf("byte %d", k)
		}
	}
	for n, want := range map[int]int{75_000: 100_000, 750_000: 1_000_000} {
		if got := base64.StdEncoding.EncodedLen(n); got != want {
			t.Errorf("%d bytes: %d characters", n, got)
		}
	}
}

func TestAmountTexts(t *testing.T) {
	sum := new(big.Rat)
	var minor int64
	for i := range uint64(amountTexts) {
		r, ok := new(big.Rat).SetString(amountText(i))
		if !ok {
			t.Fatalf("text %d is no number", i)
		}
		sum.Add(sum, r)
		minor += amountMinor(i)
	}
	if sum.Cmp(big.NewRat(minor, 100)) != 0 {
		t.Errorf("the texts make %s, the minor units %d", sum.FloatString(2), minor)
	}
}
