package chargecast_test

import (
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/gateway"
	"github.com/chargecast/chargecast/internal/capture"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/reconcile"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/rules"
	"github.com/chargecast/chargecast/signature"
	"github.com/chargecast/chargecast/signature/diagnose"
	"github.com/chargecast/chargecast/signature/oauthhttp"
)

// TestCodesAreUnique: one lookup explains every name, so no name stands in two tables: the rules of a
// room, the mistakes of signing, the changes of payload fix. And every code that a room declares is
// explained by one of them.
func TestCodesAreUnique(t *testing.T) {
	kebab := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	table := map[string]string{}
	add := func(name, code, text string) {
		if other, twice := table[code]; twice {
			t.Errorf("%s stands in the table of %s and in that of %s", code, other, name)
		}
		if !kebab.MatchString(code) || text == "" {
			t.Errorf("%s: %q is not a name, or says nothing", name, code)
		}
		table[code] = name
	}
	for room, list := range map[string]iter.Seq[ledger.Rule]{
		"rules": rules.Rules(), "record": record.Rules(), "reconcile": reconcile.Rules(), "engine": engine.Rules(), "signature": signature.Rules(), "capture": capture.Rules(),
		"oauthhttp": oauthhttp.Rules(), "gateway": gateway.Rules(),
	} {
		for r := range list {
			add(room, string(r.Code), r.Text)
			if r.Severity == 0 || r.Help == "" && room != "engine" || r.Basis < r.Clause.Basis() || (r.Good == "") != (r.Bad == "") {
				t.Errorf("%s: %+v has no severity or help, is firmer than its clause, or has half an example", room, r)
			}
		}
	}
	for m := range diagnose.Mistakes() {
		if m.ID == string(signature.TimestampMillis) {
			continue // one name for one mistake, made before signing or while signing; the rule says so
		}
		add("the mistakes of signing", m.ID, m.Text)
	}
	for r := range rules.Repairs() {
		add("payload fix", string(r.Code), r.Text)
	}

	declared := regexp.MustCompile(`\bledger\.Code = "([^"]+)"|\bReason = "([^"]+)"`)
	n := 0
	for dir, pkg := range packages(t) {
		for _, file := range pkg.GoFiles {
			text, err := os.ReadFile(filepath.Join(dir, file))
			if err != nil {
				t.Fatal(err)
			}
			for _, found := range declared.FindAllSubmatch(text, -1) {
				n++
				if code := string(found[1]) + string(found[2]); table[code] == "" {
					t.Errorf("%s in %s is explained nowhere", code, filepath.Join(dir, file))
				}
			}
		}
	}
	if n < len(table)/2 {
		t.Errorf("%d codes found in the source, and %d in the tables", n, len(table))
	}
}
