package record_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// readAll returns the records and the places and codes of the findings. Most texts are pieces of an output: that
// they have no summary is no finding here.
func readAll(t testing.TB, r io.Reader) (list []record.Record, found []string) {
	for rec, err := range record.Read(r) {
		switch f, ok := errors.AsType[ledger.Finding](err); {
		case ok && f.Code == record.RecordCut && f.Place.Line == 0:
		case ok:
			found = append(found, strconv.Itoa(f.Place.Line)+":"+strconv.Itoa(f.Place.Col)+"@"+strconv.FormatInt(f.Place.Offset, 10)+" "+string(f.Code))
		case err != nil:
			found = append(found, err.Error())
		default:
			list = append(list, rec)
		}
		if (rec == nil) != (err != nil) {
			t.Errorf("record %v with error %v", rec, err)
		}
	}
	return list, found
}

// rewrite writes records again.
func rewrite(t testing.TB, list []record.Record, o record.Options) []byte {
	var out bytes.Buffer
	w := record.NewWriter(&out, list[0].(record.Header), o)
	for _, r := range list {
		if err := w.Write(r); err != nil {
			t.Error(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	return out.Bytes()
}

// TestOutputsOfTheCommand: what the command wrote, as its scenarios have it, is read and written back
// to the same bytes.
func TestOutputsOfTheCommand(t *testing.T) {
	files, err := filepath.Glob("../cmd/chargecast/testdata/script/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	types := map[reflect.Type]int{}
	lines := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range outputs(string(text)) {
			list, found := readAll(t, strings.NewReader(want))
			if len(found) > 0 || len(list) == 0 {
				t.Errorf("%s, %s: %v", filepath.Base(file), name, found)
				continue
			}
			for _, r := range list {
				types[reflect.TypeOf(r)]++
			}
			lines++
			o := record.Options{Explain: explained.MatchString(want)}
			if got := rewrite(t, list, o); string(got) != want {
				t.Errorf("%s, %s is written back as\n%s", filepath.Base(file), name, got)
			}
		}
	}
	if lines < 8 || len(types) < 10 {
		t.Errorf("only %d outputs with the types %v", lines, types)
	}
}

// explained matches an output with the reasons of other records than events.
var explained = regexp.MustCompile(`(?m)^\{"type":"(charge|end|total)".*"because":`)

// outputs are the files of a scenario that are outputs of the command.
func outputs(script string) map[string]string {
	found := map[string]string{}
	for _, part := range strings.Split("\n"+script, "\n-- ")[1:] {
		name, text, _ := strings.Cut(part, " --\n")
		ours := strings.HasPrefix(text, `{"type":"header"`) && strings.Contains(text, `"policy"`)
		if ours && !strings.Contains(text, "chargecast.compare/1") {
			found[name] = strings.TrimSuffix(text, "\n") + "\n"
		}
	}
	return found
}

const (
	head  = `{"type":"header","schema":"chargecast.forecast/1","as_of":"2026-01-10","zone":"UTC","policy":{"start-past":"catch-up"}}`
	first = `{"type":"charge","profile":"a","row":1,"repeat":0,"date":"2026-01-31","amount":"1.00","currency":"EUR"}`
	last  = `{"type":"end","profile":"a","row":1,"status":"active","repeat":1,"stop":null}`
)

// TestReadPlaces: findings have the line, the column and the offset, in NDJSON and in documents, and
// reading goes on after the line.
func TestReadPlaces(t *testing.T) {
	for _, c := range []struct {
		reason, text string
		records      int
		want         []string
	}{
		{"NDJSON", head + "\n" + first + "\n" + last + "\n", 3, nil},
		{"blank lines, CRLF, no last line end", head + "\r\n\r\n  \n" + last, 2, nil},
		{"byte-order mark", "\ufeff" + head + "\n" + last, 2, []string{"1:1@0 byte-order-mark"}},
		{"a bad line", head + "\n{\"type\":\"end\",}\n" + last, 2, []string{"2:15@" + strconv.Itoa(len(head)+15) + " json-syntax"}},
		{"an unknown type", head + "\n{\"type\":\"x\"}\n" + last, 2, []string{"2:1@" + strconv.Itoa(len(head)+1) + " record-type"}},
		{"a second header", head + "\n" + head + "\n" + last, 2, []string{"2:1@" + strconv.Itoa(len(head)+1) + " record-type"}},
		{"no header", first + "\n" + last, 0, []string{"1:1@0 record-schema"}},
		{"another version", strings.Replace(head, "forecast/1", "forecast/2", 1) + "\n" + last, 0, []string{"1:27@26 record-schema"}},
		{"text", "hello\n" + last, 0, []string{"1:1@0 record-schema"}},
		{"nothing", "", 0, nil},
		{"a document", "{\"header\":" + head + ",\n\"charges\":[\n" + first + "],\n\"ends\":[" + last + "]}\n", 0, []string{"1:1@0 record-schema"}},
	} {
		for name, r := range map[string]io.Reader{"whole": strings.NewReader(c.text), "byte by byte": iotest.OneByteReader(strings.NewReader(c.text))} {
			list, found := readAll(t, r)
			if len(list) != c.records || !reflect.DeepEqual(found, c.want) {
				t.Errorf("%s, %s: %d records, found %q, want %d and %q", c.reason, name, len(list), found, c.records, c.want)
			}
		}
	}
}

// TestReadFails: an error of the source comes as it is, and ends the reading.
func TestReadFails(t *testing.T) {
	for _, text := range []string{head + "\n" + first} {
		broken := io.MultiReader(strings.NewReader(text), iotest.ErrReader(io.ErrClosedPipe))
		var last error
		for _, err := range record.Read(broken) {
			last = err
		}
		if last != io.ErrClosedPipe {
			t.Errorf("reading ends with %v", last)
		}
	}
}

// TestReadStops: a caller that has seen enough reads no further.
func TestReadStops(t *testing.T) {
	for _, text := range []string{head + "\n" + first + "\n" + last} {
		for most := 1; most < 3; most++ {
			n := 0
			for range record.Read(strings.NewReader(text)) {
				if n++; n == most {
					break
				}
			}
			if n != most {
				t.Errorf("%d records of %d", n, most)
			}
		}
	}
}

// TestReadLongRecord: no line is longer than the limit (L56d).
func TestReadLongRecord(t *testing.T) {
	for _, begin := range []string{head + "\n{\"a\":\""} {
		endless := io.MultiReader(strings.NewReader(begin), &endless{text: bytes.Repeat([]byte("x"), 4096)})
		list, found := readAll(t, endless)
		if len(list) != 1 || len(found) != 1 || !strings.HasSuffix(found[0], " limit-line") {
			t.Errorf("%d records, found %v", len(list), found)
		}
	}
}

// endless repeats a text for ever.
type endless struct {
	text []byte
	at   int
}

func (e *endless) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		k := copy(p[n:], e.text[e.at:])
		n, e.at = n+k, (e.at+k)%len(e.text)
	}
	return n, nil
}

const summary = `{"type":"summary","profiles":1,"left_out":0,"taken_as_new":0,"charges":1,"card_expired":0,"unsendable":0}`

// TestSummaryEndsAnOutput: an output that was interrupted, or whose input was damaged, looked like a whole one.
func TestSummaryEndsAnOutput(t *testing.T) {
	simulated := strings.Replace(head, "forecast/1", "simulate/1", 1)
	for _, c := range []struct{ reason, text, want string }{
		{"whole", head + "\n" + first + "\n" + last + "\n" + summary, ""},
		{"without a summary", head + "\n" + first + "\n" + last, "record-cut"},
		{"simulation without a summary", simulated + "\n" + first, "record-cut"},
		{"header alone", head, "record-cut"},
		{"a record after it", head + "\n" + summary + "\n" + last, "record-cut"},
		{"two of them", head + "\n" + summary + "\n" + summary, "record-cut"},
		{"something else is wrong", head + "\n{}", "record-member"},
	} {
		var codes []string
		for _, err := range record.Read(strings.NewReader(c.text)) {
			if f, ok := errors.AsType[ledger.Finding](err); ok {
				codes = append(codes, string(f.Code))
			}
		}
		if got := strings.Join(codes, " "); got != c.want {
			t.Errorf("%s: found %q, want %q", c.reason, got, c.want)
		}
	}
}

// TestReasonsAreClauses: of reasons the clauses are read, whatever their texts say.
func TestReasonsAreClauses(t *testing.T) {
	text := head + "\n" + strings.Replace(first, `}`, `,"because":[{"clause":"2.2.6","basis":"stated","text":"reworded"}]}`, 1)
	list, found := readAll(t, strings.NewReader(text))
	if len(found) > 0 || len(list) != 2 {
		t.Fatal(found)
	}
	if c := list[1].(record.Charge); c.Charge.Because != ledger.On(clause.Doc226) {
		t.Errorf("%+v", c)
	}
}

func withoutReasons(c *record.Charge) {
	if c != nil {
		c.Charge.Because = ledger.Because{}
	}
}

// alone returns the lines of records, each by itself.
func alone(list []record.Record) []byte {
	var text []byte
	for _, r := range list {
		text = append(r.AppendJSON(text), '\n')
	}
	return text
}

// FuzzRead: no text makes the reader panic, and what it accepts is written and read back the same.
func FuzzRead(f *testing.F) {
	for _, text := range []string{head + "\n" + first + "\n" + last, "\ufeff" + head} {
		f.Add([]byte(text))
	}
	f.Add([]byte(head + "\n" + `{"type":"difference","profile":"","kind":"added","old":null,"new":{"repeat":0,"date":"2026-01-31","amount":"0","currency":"","outcome":"declined"}}`))
	for _, r := range records {
		f.Add(append([]byte(head+"\n"), r.record.AppendJSON(nil)...))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		list, _ := readAll(t, bytes.NewReader(text))
		for _, r := range list {
			switch r := r.(type) { // sides have no reasons
			case record.Reconciled:
				withoutReasons(r.Expected)
			case record.Unexplained:
				withoutReasons(r.First.Expected)
			case record.Difference:
				withoutReasons(r.Old)
				withoutReasons(r.New)
			}
		}
		if len(list) == 0 {
			return
		}
		again, found := readAll(t, bytes.NewReader(alone(list)))
		if len(found) > 0 || !reflect.DeepEqual(again, list) {
			t.Errorf("%+v is read back as %+v, %v", list, again, found)
		}
	})
}
