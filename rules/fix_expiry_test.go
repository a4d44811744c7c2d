package rules

import (
	"os"
	"strings"
	"testing"
)

// TestFixExpiry: month and year of expiry in one column become two where their order is certain, under an alias whose
// values fit or a name that was given; a second run changes nothing.
func TestFixExpiry(t *testing.T) {
	values := []struct{ in, month, year string }{
		{"03/27", "03", "2027"}, {"3/2027", "03", "2027"}, {"08.27", "08", "2027"}, {"08-2027", "08", "2027"}, {"2027-03", "03", "2027"},
		{"0327", "03", "2027"}, {"03 / 27", "03", "2027"}, {"'12/28", "12", "2028"}, {"", "", ""}, {"2027/3", "03", "2027"}, {"1228", "12", "2028"},
		{"11/12", "11/12", ""}, {"13/27", "13/27", ""}, {"27/03", "27/03", ""}, {"2027", "2027", ""}, {"1.3.2027", "1.3.2027", ""}, {"Mar 27", "Mar 27", ""}, {"03 27", "03 27", ""}, {"2712", "2712", ""},
	}
	for _, name := range []string{"Gültig bis", "Exp. Date", "MM/YY", "Karte"} {
		given := name == "Karte"
		f := Fixer{}
		if given {
			f.Expiry = []string{name}
		}
		var in, want strings.Builder
		in.WriteString("\"client-orderid\";\"" + name + "\"\n")
		want.WriteString("\"client-orderid\";\"expire-month\";\"expire-year\"\n")
		refused := 0
		for _, v := range values {
			if v.year == "" && v.in != "" {
				if !given {
					continue
				}
				refused++
			}
			in.WriteString("\"a\";\"" + v.in + "\"\n")
			want.WriteString("\"a\";\"" + v.month + "\";\"" + v.year + "\"\n")
		}
		x := f.fix(t, in.String())
		if x.out != want.String() || x.done.Refused != refused {
			t.Errorf("%s: %v\n%s", name, x.changes, x.out)
		}
		if again := f.fix(t, x.out); again.out != x.out || again.done.Changes != 0 || again.done.Refused != refused {
			t.Errorf("%s, again: %v\n%s", name, again.changes, again.out)
		}
	}
	for name, in := range map[string]string{
		"a month beside it":       "\"Exp\";\"expire-month\"\n\"03/27\";\"03\"\n",
		"a year beside it":        "\"Exp\";\"expire-year\"\n\"03/27\";\"2027\"\n",
		"values that do not fit":  "\"Exp\";\"client-orderid\"\n\"5\";\"a\"\n",
		"a given name and a year": "\"Karte\";\"expire-year\"\n\"03/27\";\"2027\"\n",
		"a given name and month":  "\"Karte\";\"expire-month\"\n\"03/27\";\"07\"\n",
	} {
		if x := (Fixer{Expiry: []string{"Karte"}}).fix(t, in); x.out != in || strings.Join(x.changes, "") != "-header-unknown 0" {
			t.Errorf("%s: %v\n%s", name, x.changes, x.out)
		}
	}
	page, err := os.ReadFile("../docs/repair.md")
	if err != nil || !strings.Contains(string(page), "| "+expiryAliases+" |\n") {
		t.Error("docs/repair.md does not list the names of a column with the expiry", err)
	}
}
