package facade_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chargecast/chargecast/signature"
	"github.com/chargecast/chargecast/web/internal/facade"
)

// command builds the command once.
func command(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "chargecast")
	c := exec.Command("go", "build", "-o", path, "./cmd/chargecast")
	c.Dir = "../../.."
	if said, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	return path
}

func now() time.Time { return time.Date(2026, 1, 10, 12, 0, 0, 0, time.UTC) }

// ask asks the façade, and returns the members of the reply.
func ask(t *testing.T, s *facade.Server, request map[string]any) map[string]json.RawMessage {
	t.Helper()
	line, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	var reply map[string]json.RawMessage
	if err := json.Unmarshal(s.Answer(line), &reply); err != nil {
		t.Fatal(err)
	}
	return reply
}

// records are the records of a reply as NDJSON.
func records(t *testing.T, reply map[string]json.RawMessage) string {
	t.Helper()
	var list []json.RawMessage
	if err := json.Unmarshal(reply["records"], &list); err != nil {
		t.Fatalf("%v: %s", err, reply["error"])
	}
	var b strings.Builder
	for _, r := range list {
		b.Write(r)
		b.WriteByte('\n')
	}
	return b.String()
}

// A choice makes payloads that merchants send, and some that are wrong.
type choice struct{ *rand.Rand }

func (c choice) of(list ...string) string { return list[c.IntN(len(list))] }

var header = []string{
	"rp_card_type", "client-orderid", "amount", "amount-from", "amount-to", "amount-sequence", "currency", "period", "interval", "start-date", "finish-date", "max-repeats-number",
	"expire_year", "expire_month",
}

func (c choice) payload() string {
	var b strings.Builder
	write := func(cells []string) {
		for i, cell := range cells {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(`"` + cell + `"`)
		}
		b.WriteString("\r\n")
	}
	write(header)
	for i := range 1 + c.IntN(6) {
		row := map[string]string{
			"rp_card_type": c.of("SRC", "SRC", "SRC", "DST", ""), "client-orderid": fmt.Sprint("order-", i), "currency": c.of("EUR", "USD", "JPY", "EU"),
			"period": c.of("day", "week", "month", "month", ""), "interval": c.of("1", "1", "2", "3", "7", ""),
			"start-date": c.of("31.01.2026", "10.01.2026", "15.08.2025", "28.02.2026", "", "31.02.2026"), "finish-date": c.of("", "", "30.06.2026", "01.01.2026"),
			"max-repeats-number": c.of("", "", "3", "0", "12"), "expire_year": c.of("2026", "2031", "", "26"), "expire_month": c.of("03", "12", "", "13"),
		}
		if row["period"] == "" {
			row["interval"] = ""
		}
		switch c.IntN(3) {
		case 0:
			row["amount"] = c.of("10.00", "9.99", "100", "1.5", "10,00")
		case 1:
			row["amount-from"], row["amount-to"] = c.of("1.00", "2.50"), c.of("5.00", "1.00", "3.00")
		default:
			row["amount-sequence"] = c.of("1.00,2.00", "10.00,20.00,30.00", "5")
		}
		cells := make([]string, len(header))
		for i, name := range header {
			cells[i] = row[name]
		}
		write(cells)
	}
	return b.String()
}

// TestSameRecords: whatever the payload, the façade gives the records of the command, byte for byte.
func TestSameRecords(t *testing.T) {
	program, dir := command(t), t.TempDir()
	n := 1000
	if testing.Short() {
		n = 100
	}
	c := choice{rand.New(rand.NewPCG(1, 2))}
	file, script := filepath.Join(dir, "payload.csv"), filepath.Join(dir, "script.jsonl")
	run := func(args ...string) string {
		var out, said bytes.Buffer
		cmd := exec.Command(program, args...)
		cmd.Stdout, cmd.Stderr = &out, &said
		var exit *exec.ExitError
		if err := cmd.Run(); err != nil && (!errors.As(err, &exit) || exit.ExitCode() > 1) {
			t.Fatalf("%v: %v\n%s", args, err, said.Bytes())
		}
		return out.String()
	}
	server := &facade.Server{Now: now}
	for i := range n {
		payload := c.payload()
		if err := os.WriteFile(file, []byte(payload), 0o600); err != nil {
			t.Fatal(err)
		}
		request := map[string]any{"csv": map[string]any{"b64": []byte(payload)}, "as_of": "2026-01-10", "until": "2026-12-31"}
		args := []string{"--as-of", "2026-01-10", "--until", "2026-12-31", "-o", "ndjson"}
		if c.IntN(3) == 0 {
			key := strings.SplitN(c.of("month-end=skip", "start-past=count-missed", "max-counts=repeats-after-first", "start-absent=reject", "start-past=reject"), "=", 2)
			request["policy"] = map[string]string{key[0]: key[1]}
			args = append(args, "--policy", key[0]+"="+key[1])
		}
		if c.IntN(3) == 0 {
			request["explain"] = true
			args = append(args, "--explain")
		}
		switch i % 4 {
		case 0:
			request["op"] = "forecast"
			if c.IntN(2) == 0 {
				delete(request, "until")
				request["next"], args[2], args[3] = 3, "--next", "3"
			}
			args = append([]string{"forecast", file}, args...)
		case 1:
			by := c.of("day", "week", "month", "quarter", "weekday", "profile")
			request["op"], request["by"] = "totals", by
			args = append([]string{"forecast", file, "--by", by}, args...)
		case 2:
			lines := []string{`{"date":"2026-02-10","do":"stop"}`, `{"date":"2026-04-01","do":"resume","via":"ui"}`, `{"repeat":1,"outcome":"declined"}`}
			if err := os.WriteFile(script, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
				t.Fatal(err)
			}
			request["op"], request["script"] = "simulate", []json.RawMessage{json.RawMessage(lines[0]), json.RawMessage(lines[1]), json.RawMessage(lines[2])}
			args = append([]string{"simulate", file, "--script", script}, args...)
		default:
			day := c.of("2026-01-31", "2026-02-28", "2026-03-15", "2026-01-05", "2026-12-31")
			request["op"], request["profile"], request["on"] = "explain", "order-0", day
			delete(request, "until")
			delete(request, "explain")
			args = []string{"why", file, "--profile", "order-0", "--on", day, "--as-of", "2026-01-10", "-o", "json"}
			if p, ok := request["policy"].(map[string]string); ok {
				for k, v := range p {
					args = append(args, "--policy", k+"="+v)
				}
			}
		}
		want := ""
		if request["op"] == "explain" {
			cmd := exec.Command(program, args...)
			out, _ := cmd.Output() // exit 2 where the row cannot be used
			want = string(out)
		} else {
			want = run(args...)
		}
		reply := ask(t, server, request)
		got := ""
		if reply["error"] == nil {
			got = records(t, reply)
		}
		if got != want {
			t.Fatalf("payload %d\n%s\n%v\ngot\n%s%s\nwant\n%s", i, payload, args, got, reply["error"], want)
		}
	}
}

// TestSameChanges: what is mended of an export is what the command mends, and the changes are its
// records.
func TestSameChanges(t *testing.T) {
	program, dir := command(t), t.TempDir()
	export := "Kundennr;Betrag;Währung;Turnus;Startdatum;Notiz\r\nK-1;10,50;EUR;monatlich;2026-01-31;x\r\nK-2;1.234,00;€;monatlich;1.2.2026;y\r\nK-3;abc;EUR;nie;03/04/2026;\r\n"
	file := filepath.Join(dir, "export.csv")
	if err := os.WriteFile(file, []byte(export), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "payload", "fix", "-o", "json", "--decimal", "comma", "--rename", "Turnus=period", "--set", "rp_card_type=SRC", "--value", "period: nie=month*2", "--drop-unknown", file)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	_ = cmd.Run() // exit 1: something is refused
	reply := ask(t, new(facade.Server), map[string]any{
		"op": "fix", "csv": export, "decimal": "comma", "rename": map[string]string{"Turnus": "period"}, "set": map[string]string{"rp_card_type": "SRC"},
		"value": map[string]any{"period": map[string]string{"nie": "month*2"}}, "drop_unknown": true,
	})
	var csv struct {
		Base64 []byte `json:"b64"`
	}
	if err := json.Unmarshal(reply["csv"], &csv); err != nil {
		t.Fatal(err)
	}
	if string(csv.Base64) != out.String() || out.Len() == 0 {
		t.Errorf("the payload is\n%s\nthe command's\n%s", csv.Base64, out.Bytes())
	}
	if got := records(t, reply); got != said.String() || got == "" {
		t.Errorf("the changes are\n%s\nthe command's\n%s", got, said.Bytes())
	}
}

// TestValidateAnswersWhateverIsInARow: an id with a NUL, of which a problem says the row, left the
// reply to validate empty.
func TestValidateAnswersWhateverIsInARow(t *testing.T) {
	for _, id := range []string{"a\x00b", "a\x1bb", "a\xffb", "a\u2028b", "\u202e"} {
		payload := []byte(`"rp_card_type";"client-orderid";"credit-card-number";"cvv2";"card-printed-name";"expire-year";"expire-month";"amount";"currency";` +
			`"country";"city";"zip-code";"address1";"first-name";"last-name";"email";"period";"interval";"start-date"` + "\n")
		for _, id := range []string{"one", id} {
			payload = append(payload, `"SRC";"`+id+`";"4111111111111111";"123";"JOHN Q PUBLIC";"2045";"12";"";"EUR";`+
				`"DE";"Berlin";"12345";"1 Example Street";"John";"Public";"john@example.com";"month";"1";"31.01.2026"`+"\n"...)
		}
		reply := ask(t, &facade.Server{Now: now}, map[string]any{"op": "validate", "as_of": "2026-01-10", "csv": map[string]any{"b64": payload}})
		var problems []struct{ Code string }
		if err := json.Unmarshal(reply["problems"], &problems); err != nil || len(problems) == 0 {
			t.Errorf("%q: %v, %s", id, err, reply["problems"])
		}
	}
}

// decoded is a text in ISO 8859-1, which windows-1252 is but for some characters.
func decoded(r io.Reader) io.Reader {
	b, _ := io.ReadAll(r) // of memory
	var s strings.Builder
	for _, c := range b {
		s.WriteRune(rune(c))
	}
	return strings.NewReader(s.String())
}

// TestSameMap: the map of what is decided and of what is not is the command's, whatever the export
// leaves open.
func TestSameMap(t *testing.T) {
	program, dir := command(t), t.TempDir()
	file, draft := filepath.Join(dir, "export.csv"), filepath.Join(dir, "fix.map")
	for _, c := range []struct {
		reason, export string
		flags          []string
		decided        map[string]any
	}{
		{"nothing is decided", "Kundennr;Betrag;Turnus;Startdatum;Notiz\n1;10,50;nie;03/04/26;x\n2;1.234;monatlich;1.2.2026;y\n;;;;\n", nil, nil},
		{"what is decided comes first", "Kundennr;Betrag;Turnus;Startdatum;Notiz\n1;10,50;nie;03/04/26;x\n", []string{
			"--decimal", "comma", "--dates", "dmy", "--century", "20", "--rename", "Notiz=-", "--set", "rp_card_type=SRC", "--value", "period: nie=month*2", "--drop-empty", "--drop-unknown",
		}, map[string]any{
			"decimal": "comma", "dates": "dmy", "century": "20", "rename": map[string]string{"Notiz": "-"}, "set": map[string]string{"rp_card_type": "SRC"},
			"value": map[string]any{"period": map[string]string{"nie": "month*2"}}, "drop_empty": true, "drop_unknown": true,
		}},
		{"another encoding", "Kundennr;W\xe4hrung;Betrag\n1;EUR;5\n", nil, nil},
		{"an encoding with letters that are not usual", "Kundennr;Ort;Betrag\n1;\xc0\xd0;5\n", nil, nil},
	} {
		if err := os.WriteFile(file, []byte(c.export), 0o600); err != nil {
			t.Fatal(err)
		}
		_ = exec.Command(program, append(append([]string{"payload", "fix", "--draft", draft}, c.flags...), file)...).Run() // exit 1: something is refused
		want, err := os.ReadFile(draft)
		if err != nil {
			t.Fatal(err)
		}
		request := map[string]any{"op": "fix", "csv": map[string]any{"b64": []byte(c.export)}}
		maps.Copy(request, c.decided)
		server := &facade.Server{Decoder: func(name string) (string, func(io.Reader) io.Reader, bool) {
			return name, decoded, name == "windows-1252"
		}}
		var got string
		if err := json.Unmarshal(ask(t, server, request)["draft"], &got); err != nil || got != string(want) {
			t.Errorf("%s: %v\n%s\nthe command's\n%s", c.reason, err, got, want)
		}
	}
}

// TestSameReconciliation: the second file is matched as by the command.
func TestSameReconciliation(t *testing.T) {
	program, dir := command(t), t.TempDir()
	server := &facade.Server{Now: now}
	c := choice{rand.New(rand.NewPCG(3, 4))}
	for range 40 {
		payload := c.payload()
		var actual strings.Builder
		actual.WriteString("profile,date,amount\n")
		for i := range c.IntN(8) {
			fmt.Fprintf(&actual, "order-%d,%s,%s\n", c.IntN(6), c.of("2026-01-31", "2026-02-28", "2026-03-01", "2026-03-31", "31.02.2026", "2026-09-01"), c.of("10.00", "9.99", "1.00", "x"))
			_ = i
		}
		file, second := filepath.Join(dir, "payload.csv"), filepath.Join(dir, "actual.csv")
		if err := errors.Join(os.WriteFile(file, []byte(payload), 0o600), os.WriteFile(second, []byte(actual.String()), 0o600)); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(program, "reconcile", file, "--actual", second, "--as-of", "2026-01-10", "--through", "2026-06-30", "--lag", "2", "-o", "ndjson")
		want, _ := cmd.Output() // exit 1 where they differ
		reply := ask(t, server, map[string]any{"op": "reconcile", "csv": payload, "actual": actual.String(), "as_of": "2026-01-10", "through": "2026-06-30", "lag": 2})
		if got := records(t, reply); got != string(want) {
			t.Fatalf("%s\n%s\ngot\n%s\nwant\n%s", payload, actual.String(), got, want)
		}
	}
}

// TestSameVerdict: of a captured request the façade finds what the command finds, byte for byte but
// for the remedies that name a flag. The page said that a request to another address was
// acceptable.
func TestSameVerdict(t *testing.T) {
	program, dir := command(t), t.TempDir()
	server := &facade.Server{Now: now}
	c := choice{rand.New(rand.NewPCG(5, 6))}
	key, err := signature.NewHMACKey("s3cret")
	if err != nil {
		t.Fatal(err)
	}
	file, base := filepath.Join(dir, "request.http"), filepath.Join(dir, "base.txt")
	flags := strings.NewReplacer(", or name the template of another path with --path", "", ", or give it with --form or --payload", "", "; chargecast payload fix can do it", "")
	const create = "/paynet/api/v4/create-recurring-payments/77"
	n := 300
	if testing.Short() {
		n = 50
	}
	for i := range n {
		payload := strings.ReplaceAll(c.payload(), `","`, `";"`)
		if c.IntN(9) == 0 {
			payload = c.payload()
		}
		r := signature.NewRequest("", "https://h.example"+c.of(create, create, create+"/", "/paynet/api/v4/sale/77")).WithParams(signature.Payload([]byte(payload)))
		signed, _, err := signature.Sign(r, signature.OAuth{ConsumerKey: "m", Nonce: "n", Timestamp: "1767225600"}, key)
		if err != nil {
			t.Fatal(err)
		}
		header, body := signed.Authorization(), string(signed.Body())
		switch c.IntN(6) {
		case 0:
			header = strings.Replace(header, "%3D", "", 1)
		case 1:
			header = strings.Replace(header, `"m"`, `"other"`, 1)
		case 2:
			body = body[:len(body)*c.IntN(2)/2]
		case 3:
			header = c.of("", "OAuth", header+`, oauth_token=""`)
		}
		sent := c.of("POST", "POST", "POST", "GET") + " " + c.of(create, create, create+"/", create+"?a=1", "/x") + " HTTP/1.1\r\nHost: h.example\r\n"
		sent += c.of("", "Content-Type: application/json\r\n", "Content-Type: application/x-www-form-urlencoded\r\n", "Content-Type: application/x-www-form-urlencoded\r\n")
		if header != "" {
			sent += "Authorization: " + header + "\r\n"
		}
		sent += c.of("", "Content-Length: 20\r\n", "") + "\r\n" + body
		only := c.of("", "", "signature", "payload")
		request := map[string]any{"op": "check", "request": sent, "only": only, "as_of": "2026-01-10"}
		args := []string{"check", file, "-o", "json", "--as-of", "2026-01-10"}
		if only != "" {
			args = append(args, "--only", only)
		}
		if c.IntN(4) > 0 {
			request["secret"], args = "s3cret", append(args, "--secret-env", "CHECK_SECRET")
		}
		if c.IntN(4) == 0 {
			request["base_string"], args = "POST&x", append(args, "--base-string", base)
		}
		if err := errors.Join(os.WriteFile(file, []byte(sent), 0o600), os.WriteFile(base, []byte("POST&x"), 0o600)); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(program, args...)
		cmd.Env = append(os.Environ(), "CHECK_SECRET=s3cret")
		want, _ := cmd.Output() // exit 1 where it is not acceptable, 2 where it cannot be compared
		reply, got := ask(t, server, request), ""
		if reply["error"] == nil {
			got = records(t, reply)
		}
		if got != flags.Replace(string(want)) {
			t.Fatalf("request %d %v\n%s\ngot\n%s%s\nwant\n%s", i, args, sent, got, reply["error"], want)
		}
	}
}
