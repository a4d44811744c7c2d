package rules

import (
	"strings"
	"testing"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
)

// A columnCase is a demand of the requirements on one column: a value, on SRC and on
// DST, and what is reported. On DST a column for SRC only adds its own finding.
type columnCase struct {
	name   string
	reason string
	col    Column
	value  string
	src    string // on SRC
	dst    string // on DST
}

func (c columnCase) id() (string, string) { return c.reason + " " + c.name, c.reason }

const onDst = "W src-only-on-dst"

// columnCases is R020–R059: at each limit and one beyond it.
func columnCases() []columnCase {
	cases := []columnCase{
		{"empty", "R021", ColumnOrderID, "", "E required", "E required"},
		{"1", "R021", ColumnOrderID, "x", "A", "A"},
		{"empty", "R022", ColumnCardNumber, "", "E required", "E required"},
		{"11", "R022", ColumnCardNumber, "41111111116", "W card-number-check, W card-number-short", "W card-number-check, W card-number-short"},
		{"12", "R022", ColumnCardNumber, "411111111116", "W card-number-check", "W card-number-check"},
		{"19", "R022", ColumnCardNumber, "4111111111111111110", "A", "A"},
		{"20", "R022", ColumnCardNumber, "41111111111111111116", "E too-long", "E too-long"},
		{"space", "R022", ColumnCardNumber, "4111 1111 1111 1111", "E card-number", "E card-number"},
		{"letter", "R022", ColumnCardNumber, "4111x", "E card-number", "E card-number"},
		{"2", "R023", ColumnCVV2, "12", "E cvv2-form", "E cvv2-form"},
		{"3", "R023", ColumnCVV2, "123", "A", "A"},
		{"4", "R023", ColumnCVV2, "1234", "A", "A"},
		{"5", "R023", ColumnCVV2, "12345", "E cvv2-form", "E cvv2-form"},
		{"empty", "R023", ColumnCVV2, "", "A", "A"},
		{"empty", "R024", ColumnCardPrintedName, "", "E required", "A"},
		{"empty", "R025", ColumnExpireYear, "", "E required", "A"},
		{"26", "R025", ColumnExpireYear, "26", "E expire-year", "E expire-year"},
		{"2036", "R025", ColumnExpireYear, "2036", "A", "A"},
		{"20266", "R025", ColumnExpireYear, "20266", "E expire-year", "E expire-year"},
		{"empty", "R026", ColumnExpireMonth, "", "E required", "A"},
		{"0", "R026", ColumnExpireMonth, "0", "E expire-month", "E expire-month"},
		{"1", "R026", ColumnExpireMonth, "1", "W expire-month-one-digit", "W expire-month-one-digit"},
		{"01", "R026", ColumnExpireMonth, "01", "A", "A"},
		{"12", "R026", ColumnExpireMonth, "12", "A", "A"},
		{"13", "R026", ColumnExpireMonth, "13", "E expire-month", "E expire-month"},
		{"empty", "R027", ColumnAmount, "", "E amount-missing", "E amount-missing"},
		{"empty", "R032", ColumnCurrency, "", "E required", "E required"},
		{"2", "R032", ColumnCurrency, "EU", "W currency-unknown", "W currency-unknown"},
		{"3", "R032", ColumnCurrency, "EUR", "A", "A"},
		{"4", "R032", ColumnCurrency, "EURO", "E too-long", "E too-long"},
		{"empty", "R033", ColumnCountry, "", "E required", "A"},
		{"1", "R033", ColumnCountry, "D", "W country-unknown", "W country-unknown, " + onDst},
		{"2", "R033", ColumnCountry, "FR", "A", onDst},
		{"3", "R033", ColumnCountry, "FRA", "E too-long", "E too-long, " + onDst},
		{"empty", "R034", ColumnCity, "", "E required", "A"},
		{"empty", "R035", ColumnZipCode, "", "E required", "A"},
		{"empty", "R036", ColumnAddress1, "", "E required", "A"},
		{"empty", "R037", ColumnFirstName, "", "E required", "A"},
		{"empty", "R038", ColumnLastName, "", "E required", "A"},
		{"empty", "R039", ColumnEmail, "", "E required", "A"},
		{"syntax", "R039", ColumnEmail, "john", "W email-form", "W email-form, " + onDst},
		{"day", "R040", ColumnPeriod, "day", "A", "E schedule-on-dst"},
		{"week", "R040", ColumnPeriod, "week", "A", "E schedule-on-dst"},
		{"month", "R040", ColumnPeriod, "month", "A", "E schedule-on-dst"},
		{"Day", "R040", ColumnPeriod, "Day", "E period-value", "E period-value, E schedule-on-dst"},
		{"months", "R040", ColumnPeriod, "months", "E period-value", "E period-value, E schedule-on-dst"},
		{"empty", "R041", ColumnPeriod, "", "E schedule-pair", "A"},
		{"1.5", "R042", ColumnInterval, "1.5", "E integer-syntax", "E integer-syntax, E schedule-on-dst"},
		{"-1", "R042", ColumnInterval, "-1", "E interval-value", "E interval-value, E schedule-on-dst"},
		{"+2", "R042", ColumnInterval, "+2", "E integer-syntax", "E integer-syntax, E schedule-on-dst"},
		{"abc", "R042", ColumnInterval, "abc", "E integer-syntax", "E integer-syntax, E schedule-on-dst"},
		{"65,000", "R043", ColumnOrderDesc, strings.Repeat("x", 65_000), "A", "A"},
		{"65,001", "R043", ColumnOrderDesc, strings.Repeat("x", 65_001), "W order-desc-long", "W order-desc-long"},
		{"66,560", "R043", ColumnOrderDesc, strings.Repeat("x", 66_560), "W order-desc-long", "W order-desc-long"},
		{"66,561", "R043", ColumnOrderDesc, strings.Repeat("x", 66_561), "E too-long", "E too-long"},
		{"IPv4", "R044", ColumnCustomerIP, "192.0.2.17", "A", "A"},
		{"IPv6", "R044", ColumnCustomerIP, "2001:db8::1", "A", "A"},
		{"46", "R044", ColumnCustomerIP, strings.Repeat("x", 46), "E too-long, W ip-form", "E too-long, W ip-form"},
		{"31.02.2000", "R046", ColumnBirthday, "31.02.2000", "E date-not-a-day", "E date-not-a-day, " + onDst},
		{"29.02.1900", "R046", ColumnBirthday, "29.02.1900", "E date-not-a-day", "E date-not-a-day, " + onDst},
		{"29.02.2000", "R046", ColumnBirthday, "29.02.2000", "A", onDst},
		{"1", "R048", ColumnState, "C", "E too-short", "E too-short, " + onDst},
		{"2", "R048", ColumnState, "CA", "A", onDst},
		{"3", "R048", ColumnState, "NSW", "A", onDst},
		{"4", "R048", ColumnState, "NSWX", "E too-long", "E too-long, " + onDst},
		{"empty", "R052", ColumnMaxRepeatsNumber, "", "A", "A"},
		{"1.5", "R052", ColumnMaxRepeatsNumber, "1.5", "E integer-syntax", "E integer-syntax"},
		{"-1", "R052", ColumnMaxRepeatsNumber, "-1", "E max-negative", "E max-negative"},
		{"city", "R058", ColumnCity, "Springfield", "A", onDst},
		{"interval", "R058", ColumnInterval, "1", "A", "E schedule-on-dst"},
	}
	for _, l := range []struct {
		reason string
		col    Column
	}{
		{"R021", ColumnOrderID}, {"R024", ColumnCardPrintedName}, {"R034", ColumnCity}, {"R035", ColumnZipCode}, {"R036", ColumnAddress1},
		{"R037", ColumnFirstName}, {"R038", ColumnLastName}, {"R045", ColumnSSN}, {"R047", ColumnPhone}, {"R053", ColumnPurpose},
	} {
		limit := l.col.Spec().Max
		fine, long := "A", "E too-long"
		if l.col.Spec().SourceOnly {
			fine, long = onDst, "E too-long, "+onDst
		}
		for name, char := range map[string]string{"a": "a", "é": "é", "€": "€", "𝄞": "𝄞"} {
			at := columnCase{"at the limit " + name, l.reason, l.col, strings.Repeat(char, limit), "A", fine}
			if len(char) > 1 { // L41: the bytes exceed the limit
				at.src = "W bytes-exceed-limit"
				at.dst = strings.TrimPrefix(strings.TrimPrefix(fine, "A")+", W bytes-exceed-limit", ", ")
				if fine == onDst {
					at.dst = "W bytes-exceed-limit, " + onDst
				}
			}
			cases = append(cases, at,
				columnCase{"above the limit " + name, l.reason, l.col, strings.Repeat(char, limit+1), "E too-long", long})
		}
	}
	for _, l := range []struct {
		reason string
		col    Column
	}{{"R054", ColumnNotifyURL}, {"R055", ColumnServerCallbackURL}} {
		limit := l.col.Spec().Max
		cases = append(cases,
			columnCase{"at the limit", l.reason, l.col, longURL(limit), "A", "A"},
			columnCase{"above the limit", l.reason, l.col, longURL(limit + 1), "E too-long", "E too-long"})
	}
	mail := func(n int) string { return strings.Repeat("a", n-len("@b.example")) + "@b.example" }
	return append(cases,
		columnCase{"at the limit", "R039", ColumnEmail, mail(128), "A", onDst},
		columnCase{"above the limit", "R039", ColumnEmail, mail(129), "E too-long", "E too-long, " + onDst})
}

func TestColumns(t *testing.T) {
	each(t, columnCases(), func(t *testing.T, c columnCase) {
		for kind, row := range map[string]values{"SRC": source(values{c.col: c.value}), "DST": destination(values{c.col: c.value})} {
			want := map[string]string{"SRC": c.src, "DST": c.dst}[kind]
			j := judge(document(row), options())
			if got := verdict(j.problems); got != want {
				t.Errorf("%s: got %s, want %s", kind, got, want)
			}
			for _, p := range j.problems {
				if p.Code == TooLong && !strings.Contains(p.Message, "characters, the limit is ") {
					t.Errorf("the message lacks length and limit: %s", p.Message)
				}
			}
		}
	})
}

func TestRequiredTogether(t *testing.T) {
	type pair struct {
		name, reason string
		row          values
		want         string
	}
	for _, c := range []pair{
		{"both callbacks", "R056", source(values{ColumnNotifyURL: "https://a.example", ColumnServerCallbackURL: "https://b.example"}), "E callbacks-both"},
		{"one callback", "R056", source(values{ColumnNotifyURL: "https://a.example"}), "A"},
		{"US without state", "R048", source(values{ColumnCountry: "US"}), "E state-required"},
		{"US with state", "R048", source(values{ColumnCountry: "US", ColumnState: "CA"}), "A"},
		{"CA with territory", "R048", source(values{ColumnCountry: "CA", ColumnState: "NU"}), "A"},
		{"AU with state", "R048", source(values{ColumnCountry: "AU", ColumnState: "NSW"}), "A"},
		{"US armed forces", "L50", source(values{ColumnCountry: "US", ColumnState: "AP"}), "A"},
		{"US territory", "L50", source(values{ColumnCountry: "US", ColumnState: "PR"}), "A"},
		{"range", "R029", source(values{ColumnAmount: "", ColumnAmountFrom: "1.00", ColumnAmountTo: "2.00"}), "A"},
		{"sequence of one", "R031", sequence("1"), "A"},
		{"no schedule", "R010", source(values{ColumnPeriod: "", ColumnInterval: ""}), "A"},
		{"DST with finish and maximum", "X6", destination(values{ColumnStartDate: "31.01.2026", ColumnFinishDate: "31.12.2026", ColumnMaxRepeatsNumber: "3"}), "A"},
	} {
		j := judge(document(c.row), options())
		if got := verdict(j.problems); got != c.want {
			t.Errorf("%s (%s): got %s, want %s", c.name, c.reason, got, c.want)
		}
	}
}

// TestWhatRequiredRestsOn: the lines of card-printed-name, expire-year and expire-month say
// "required for SRC"; "R" beside "SRC only" is a reading (X5). The column that the header
// lacks rests on the same.
func TestWhatRequiredRestsOn(t *testing.T) { // R024 to R026, X5
	missing := values{}
	for s := range Columns() {
		missing[s.Column] = ""
	}
	missing[ColumnCardType] = "SRC"
	onHeader := "\"rp_card_type\";\"client-orderid\";\"credit-card-number\";\"amount\";\"currency\"\n" +
		"\"SRC\";\"1\";\"4111111111111111\";\"1.00\";\"EUR\"\n"
	for code, text := range map[ledger.Code]string{MissingValue: document(missing), ColumnMissing: onHeader} {
		n := 0
		for _, p := range judge(text, options()).problems {
			if p.Code != code {
				continue
			}
			n++
			want, basis := ruleOf(code).Clause, ruleOf(code).Basis
			if columnOf(p).Spec().SourceOnly {
				want, basis = clause.X5, ledger.Inferred
			}
			if p.Clause != want || p.Basis != basis {
				t.Errorf("%s of %s rests on %s (%s), want %s (%s)", code, p.Subject, p.Clause, p.Basis, want, basis)
			}
		}
		if n < 10 {
			t.Errorf("%s: %d columns", code, n)
		}
	}
}

func TestOwnStates(t *testing.T) { // R049
	o := options()
	o.States = map[string][]string{"US": {"ZZ"}}
	row := func(state string) string { return document(source(values{ColumnCountry: "US", ColumnState: state})) }
	if got := verdict(judge(row("ZZ"), o).problems); got != "A" {
		t.Errorf("a supplied state: %s", got)
	}
	if got := verdict(judge(row("CA"), o).problems); got != "W state-unknown" {
		t.Errorf("a state outside the supplied list: %s", got)
	}
}

func TestPolicyRefusals(t *testing.T) { // V20: what the policy refuses is an error here too
	for _, c := range []struct {
		policy string
		row    values
		want   string
	}{
		{"start-past=reject", source(values{ColumnStartDate: "01.01.2026"}), "E start-past"},
		{"start-absent=reject", source(values{ColumnStartDate: ""}), "E start-absent"},
		{"max-zero=reject", source(values{ColumnMaxRepeatsNumber: "0"}), "E max-zero"},
		{"max-zero=unlimited", source(values{ColumnMaxRepeatsNumber: "0", ColumnFinishDate: "31.01.2026"}), "W max-zero"},
		{"finish-bound=exclusive", source(values{ColumnFinishDate: "31.01.2026", ColumnMaxRepeatsNumber: ""}), "W never-charges"},
	} {
		o := options()
		o.Policy, _ = engine.ParsePolicy(c.policy)
		j := judge(document(c.row), o)
		if got := verdict(j.problems); got != c.want {
			t.Errorf("%s: got %s, want %s", c.policy, got, c.want)
		}
		_, err := engine.New(o.Policy).Compile(engine.Stored{Profile: profileOf(c.row)}, asOf())
		if refused := err != nil; refused != (len(j.rows) == 0) {
			t.Errorf("%s: the engine says %v, %d rows", c.policy, err, len(j.rows))
		}
	}
}

func TestPolicyRefusalsOfStoredProfiles(t *testing.T) { // a stored profile is not created again
	o := options()
	o.Policy, _ = engine.ParsePolicy("start-past=reject")
	o.Severity = map[ledger.Code]ledger.Severity{StartPast: ledger.SeverityWarning}
	j := judge(document(source(values{ColumnStartDate: "01.01.2026"})), o)
	if got := verdict(j.problems); got != "W start-past" || len(j.rows) != 1 {
		t.Fatalf("%s, %d rows", got, len(j.rows))
	}
	stored := engine.State{Status: engine.StatusActive, Repeat: 1}
	if _, err := engine.New(o.Policy).Compile(engine.Stored{Profile: j.rows[0].Profile(), State: stored}, asOf()); err != nil {
		t.Error(err)
	}
}

// profileOf is the profile of a row under the default policy.
func profileOf(row values) engine.Profile {
	return judge(document(row), options()).rows[0].Profile()
}

func sequence(s string) values { return source(values{ColumnAmount: "", ColumnAmountSequence: s}) }

func longURL(n int) string {
	const base = "https://a.example/"
	return base + strings.Repeat("x", n-len(base))
}
