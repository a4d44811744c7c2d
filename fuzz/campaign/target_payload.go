package campaign

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing/iotest"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/laws"
	"github.com/chargecast/chargecast/gateway/response"
	"github.com/chargecast/chargecast/internal/form"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/oracle"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
	"github.com/chargecast/chargecast/signature"
)

// payloadTargets are the targets of the payload and its wire forms.
func payloadTargets() []Target {
	good := string(plainPayload())
	wrapped := base64.StdEncoding.EncodeToString([]byte(good))
	return []Target{
		{"FuzzCSV_Read_Chunks", tryCSV, slices.Concat(
			seeds("V01: a payload with every column", good),
			seeds("h102…h134: hostile CSV", "\xef\xbb\xbf\"rp_card_type\";\"amount\"\n", "a\"b;c\n", "\"a\"b;\n", "\"open", "\"a\\\"b\"\n", "'a';'b'\n", "\xff\xfe", "a;b\r\n\r\n1;2\r\n", "a,b\n1,2\n", "sep=;\n", "\"amount\";\"amount\"\n\"1\";\"2\"\n", "", "\n", "\x1a",
				good+"\n\"short\"\n"+good, strings.ReplaceAll(good, "\n", "\r\n"), strings.ReplaceAll(good, "\n", "\r"), strings.ReplaceAll(good, `"`, ""), strings.ReplaceAll(good, "SRC", "SRC\x00")),
			seeds("2.1: the words of a payload", wordPayload()),
		), payloadWords()},
		{"FuzzPayload_Read_Chunks", tryPayload, slices.Concat(
			seeds("W05: the three forms", good, wrapped, "payload="+url.QueryEscape(wrapped)),
			seeds("h140 h141: not payloads", "PK\x03\x04", "\x1f\x8b\x08", "%PDF-1.7", "-----BEGIN PUBLIC KEY-----\n", "<html>", "payload", "payload=", "payload=a+b", "a=1;payload=x", "PAYLOAD=", "p%61yload=YQ%3D%3D", "%zz"),
			seeds("2.1: the words of a payload", wordPayload(), formSeed),
		), slices.Concat(payloadWords(), formWords)},
		{"FuzzBase64_Decode_Standard", judgingText("W01", "W07"), slices.Concat(
			seeds("W01: base64", wrapped, "YQ==", "YWI=", "YWJj", "YWJj\n"),
			seeds("h142…h151: not base64, or not strict", "YWJ=", "YR==", "YWI=YWI=", "YW\nJj", "YW Jj", "-_-_", "YQ", "YQ===", "====", "%3D", "data:text/csv;base64,YQ==", "", "\n"),
		), nil},
		{"FuzzForm_Decode_ParseQuery", tryForm, slices.Concat(
			seeds("W03: form bodies", "payload="+url.QueryEscape(wrapped), "payload=YWJj", "a=1&payload=YWJj&b=2", "payload=YWI%3D", "&&payload=YWJj&"),
			seeds("h152…h166: broken ones", "payload=", "payload", "payload=%zz", "payload=%", "payload=%2", "payload=a+b", "payload=YQ==&payload=YQ==", "a=1;payload=YQ==", "=v", "?payload=YWJj", "payload=%2525", "pay%6coad=YQ%3D%3D", formSeed),
		), formWords},
		{"FuzzRow_Compile_Policy", tryRow, slices.Concat(
			seeds("V20: a row that compiles", strings.Join(plainCells(), "\x1f")),
			seeds("h052…h068: hostile cells", "SRC\x1f1\x1f4111111111111111\x1f\x1f\x1f\x1f\x1f1e9", strings.Repeat("\x1f", 32), "DST\x1fx"),
			cellSeeds(),
		), cellWords()},
		{"FuzzResponse_Parse_Append", tryResponse, slices.Concat(
			seeds("2.3: responses", responseSeeds()...),
			seeds("L70: not responses", "type=ok", "type=error", "status", "=v", "status=a&status=b", "type=%zz", "type=create-recurring-payment-response&error-code=1", "\n", "&", ""),
		), responseWords()},
		{"FuzzRows_Judge_Faults", judging(gen.BrokenPayloads, "V02", "V03", "V04", "V05", "V10", "V14", "V17", "V18"), byteSeeds(), nil},
		{"FuzzStream_Rows_Alone", tryStream, byteSeeds(), nil},
		{"FuzzPayload_Fix_Twice", tryFix, slices.Concat(
			seeds("F01: payloads with damages", good, strings.ReplaceAll(good, ";", ","), strings.ReplaceAll(good, `"`, ""), "\ufeff"+good, string(gen.InUTF16(good, true)), strings.ReplaceAll(good, "Berlin", "K\xf6ln"), strings.ReplaceAll(good, "31.01.2026", "1/31/2026")),
			seeds("F03: refusals", strings.ReplaceAll(good, "31.01.2026", "03/04/2026"), strings.ReplaceAll(good, "10.00", "1,234"), strings.ReplaceAll(good, "amount-from", "Amount")),
			seeds("F01: a last odd byte of UTF-16, a mark before Windows-1252", "\x00\"\x00c\x00i\x00t\x00y\x00\"\x00\n0", "\ufeff\"city\"\n\"\xe9\"\n"),
			seeds("L44: UTF-16 of what is no payload", "\x00<<<", string(gen.InUTF16("payload=YWJj", false))),
			seeds("2.1: the words of a payload", wordPayload()),
		), payloadWords()},
	}
}

// plainCells are the values of a payload's row, in the order of its columns.
func plainCells() []string {
	return []string{
		"SRC", "order-1", "4111111111111111", "123", "JANE DOE", "2030", "12", "10.00", "", "", "", "EUR", "DE", "Berlin", "10115", "Street 1", "Jane", "Doe",
		"jane@example.com", "month", "1", "", "", "", "", "", "", "31.01.2026", "", "6", "", "", "",
	}
}

func plainPayload() []byte { return rules.AppendRecord(rules.AppendHeader(nil), plainCells()...) }

// judged is when the payloads are read.
func judged() rules.Options {
	return rules.Options{AsOf: gen.DateNumbered(oracle.DayOf(2026, 1, 10))}
}

// tryStream reads bytes as a long payload whose rows are much like each other, and holds what is
// reported of each row to what is reported of it alone: what a reader remembers of the rows before
// must show nowhere (V04).
func tryStream(data []byte) {
	r := chooser(data)
	c := gen.PayloadCase{Pick: r.Uint64(), Project: gen.Pick(r, "", "EUR")}
	for i := range r.In(100, 700) {
		line := gen.PayloadLine{Clean: r.PayloadRow(i+1, c.Project)}
		if i > 0 && r.Chance(95) {
			line.Clean = r.Neighbour(c.Rows[i-1].Clean, i+1)
		}
		if r.Chance(15) {
			line.Faults = r.Faults(line.Clean, c.Project, r.In(1, 3))
		}
		c.Rows = append(c.Rows, line)
	}
	c.Columns = r.Header(c.Needed())
	c.Bare, c.Blank, c.Ends = r.Chance(10), r.Chance(20), gen.Pick(r, gen.EndLF, gen.EndCRLF, gen.EndMixed)
	holds(c, "V04")
}

// A line is one of the things that come of a payload: a problem, or the text of a row.
type line struct {
	problem ledger.Finding
	row     string
}

// read reads a payload whole, has each step judged, and returns what came of it.
func read(t *laws.T, src io.Reader, o rules.Options, size int, judge func(*rules.Row, ledger.Findings)) (lines []line) {
	steps := 0
	for row, problems := range rules.NewReader(src, o).Rows() {
		for _, p := range problems {
			lines = append(lines, line{problem: p})
		}
		if row != nil {
			lines = append(lines, line{row: row.String()})
		}
		judge(row, problems)
		if steps++; steps > 2*size+16 || len(lines) > 64*(size+16) {
			t.Errorf("%d steps and %d lines from %d bytes", steps, len(lines), size)
			break
		}
	}
	return lines
}

// judgeStep checks what holds for each row and problem of any payload.
func judgeStep(t *laws.T, row *rules.Row, problems ledger.Findings, o rules.Options, size int) {
	for i, p := range problems {
		place(t, p, size)
		if i > 0 && problems[i-1].Place.Offset > p.Place.Offset && !p.Place.Wire && !problems[i-1].Place.Wire {
			t.Errorf("problems are out of order: %v, then %v", problems[i-1], p)
		}
		if p.Error() == "" {
			t.Errorf("a problem without a text: %+v", p)
		}
	}
	if row == nil {
		return
	}
	if problems.Err() != nil {
		t.Errorf("a row with errors comes out")
	}
	if _, err := engine.New(o.Policy).Compile(engine.Stored{Profile: row.Profile()}, o.AsOf); err != nil {
		t.Errorf("a row without errors does not compile: %v", err)
	}
}

// place checks that a problem points into the text. With base64 or a form the text is
// shorter than what was sent.
func place(t *laws.T, p ledger.Finding, size int) {
	at := p.Place
	if at.Offset < 0 || at.Offset > int64(size) || at.Line < 0 || at.Col < 0 || at.Line > size+1 || at.Col > size+1 || (at.Line > 0) != (at.Col > 0) {
		t.Errorf("a problem points to line %d, column %d, offset %d of %d bytes", at.Line, at.Col, at.Offset, size)
	}
	if p.Code == "" || p.Severity == 0 || p.Message == "" {
		t.Errorf("a problem without code, severity or message: %+v", p)
	}
}

// chunks reads the same bytes whole and one at a time. What depends on chance differs between the two
// as well: a third reading, whole, tells the one from the other.
func chunks(data []byte, o rules.Options) {
	hold(func(t *laws.T) {
		whole := read(t, bytes.NewReader(data), o, len(data), func(row *rules.Row, problems ledger.Findings) {
			judgeStep(t, row, problems, o, len(data))
		})
		unjudged := func(*rules.Row, ledger.Findings) {}
		single := read(t, iotest.OneByteReader(bytes.NewReader(data)), o, len(data), unjudged)
		if slices.Equal(whole, single) {
			return
		}
		if again := read(t, bytes.NewReader(data), o, len(data), unjudged); !slices.Equal(whole, again) {
			t.Errorf("read twice: %+v, then %+v", whole, again)
			return
		}
		t.Errorf("read whole: %+v, byte by byte: %+v", whole, single)
	})
}

// tryCSV reads bytes as the CSV of a payload.
func tryCSV(data []byte) {
	o := judged()
	o.Input = rules.InputCSV
	chunks(data, o)
}

// tryPayload reads bytes as a payload in any form.
func tryPayload(data []byte) { chunks(data, judged()) }

// tryForm decodes bytes as a form body, with every reader of forms that there is, and compares with
// package url what that reads too.
func tryForm(data []byte) {
	hold(func(t *laws.T) {
		formReadersAgree(t, data)
		text, problems := decodedForm(data)
		if problems.Err() != nil {
			if text != nil {
				t.Errorf("a decoded prefix is returned beside an error")
			}
			return
		}
		body := strings.TrimSuffix(strings.TrimSuffix(string(data), "\n"), "\r")
		if strings.Contains(body, ";") {
			return
		}
		values, err := url.ParseQuery(body)
		if err != nil || len(values["payload"]) != 1 {
			t.Errorf("%q is accepted, package url says %v", data, err)
			return
		}
		if want, err := base64.StdEncoding.Strict().DecodeString(values.Get("payload")); err != nil || !bytes.Equal(want, text) {
			t.Errorf("%q is decoded to %q, want %q", data, text, want)
		}
	})
}

// decodedForm is what a form body holds; nil with an error.
func decodedForm(body []byte) ([]byte, ledger.Findings) {
	var text bytes.Buffer
	found, err := rules.Decode(&text, bytes.NewReader(body), rules.Options{AsOf: gen.JudgedOn(), Input: rules.InputForm})
	if err != nil || found.Err() != nil {
		return nil, found
	}
	return text.Bytes(), found
}

// formReadersAgree holds the readers of forms to each other: the one in memory, that of signed
// requests, and the streaming one of payloads, which takes less. It has errors of its own, which
// may come before the fault of another, and takes one line end after the body.
func formReadersAgree(t *laws.T, data []byte) {
	pairs, err := form.Parse(string(data), form.MaxParameters)
	params, signed := signature.ParseForm(string(data))
	if (err == nil) != (signed == nil) || len(pairs) != len(params) {
		t.Errorf("%q: %v and %d parameters; to sign, %v and %d", data, err, len(pairs), signed, len(params))
		return
	}
	if fault, ok := errors.AsType[*form.Error](err); ok {
		if f, ok := errors.AsType[ledger.Finding](signed); !ok || f.Place.Offset != int64(fault.Offset) {
			t.Errorf("%q: %v, to sign %+v", data, fault, f)
		}
	}
	for i, p := range pairs {
		if p.Name != params[i].Name() || p.Value != params[i].Value() {
			t.Errorf("%q: parameter %d is %q=%q, to sign %q=%q", data, i, p.Name, p.Value, params[i].Name(), params[i].Value())
		}
	}
	body := bytes.TrimSuffix(bytes.TrimSuffix(data, []byte("\n")), []byte("\r"))
	pairs, err = form.Parse(string(body), form.MaxParameters)
	text, found := decodedForm(data)
	if found.Has(rules.FormEscape) && err == nil {
		t.Errorf("%q: %v, and no error in memory", data, found)
	}
	if found.Err() != nil {
		return
	}
	payloads := slices.DeleteFunc(pairs, func(p form.Pair) bool { return p.Name != "payload" })
	if err != nil || len(payloads) != 1 || payloads[0].Value != base64.StdEncoding.EncodeToString(text) {
		t.Errorf("%q is accepted as %q; in memory %v with %d payloads", data, text, err, len(payloads))
	}
}

// tryRow puts bytes, split at the unit separator, into the cells of a row. What comes
// out as usable has a stop or charges, or the warning that it never charges.
func tryRow(data []byte) {
	cells := strings.SplitN(string(data), "\x1f", len(plainCells()))
	for len(cells) < len(plainCells()) {
		cells = append(cells, "")
	}
	csv := rules.AppendRecord(rules.AppendHeader(nil), cells...)
	hold(func(t *laws.T) {
		o := judged()
		o.Input = rules.InputCSV
		r := rules.NewReader(bytes.NewReader(csv), o)
		for row, problems := range r.Rows() {
			if row == nil {
				continue
			}
			plan, err := engine.New(o.Policy).Compile(engine.Stored{Profile: row.Profile()}, o.AsOf)
			if err != nil {
				t.Errorf("a usable row does not compile: %v", err)
				continue
			}
			never := plan.Count(calendar.Window{}) == 0 && row.Profile().Automatic()
			if never != problems.Has(rules.NeverCharges) && row.Profile().Automatic() {
				t.Errorf("never-charges is %v, the plan says %v", problems.Has(rules.NeverCharges), never)
			}
			i := 0
			for column, cell := range row.Cells() {
				if cell.Reveal() != cells[i] {
					t.Errorf("column %v is read otherwise", column)
				}
				i++
			}
		}
	})
}

// tryResponse reads bytes as the answer to a request. What is accepted is written and read
// back to the same; what is not is never a success.
func tryResponse(data []byte) {
	hold(func(t *laws.T) {
		for _, status := range [...]int{200, 403, 500} {
			r, err := response.Parse(status, data)
			if err != nil {
				fault, ok := errors.AsType[*response.Error](err)
				if !ok || fault.Offset < 0 && len(data) > 0 || fault.Offset > len(data) {
					t.Errorf("%q: an error without a place: %v", data, err)
				}
				if r.Outcome == response.OutcomeAccepted {
					t.Errorf("%q: accepted, and an error: %v", data, err)
				}
				unseen(t, err, string(data))
				continue
			}
			if len(data) == 0 {
				continue // the status decides
			}
			text, _ := r.AppendText(nil)
			if back, err := response.Parse(500, text); err != nil || !reflect.DeepEqual(back, r) {
				t.Errorf("%q is %+v with status %d, written %q and read back as %+v, %v", data, r, status, text, back, err)
			}
		}
	})
}

// tryFix mends any bytes: nothing panics, and what is written is the same when it is mended again.
func tryFix(data []byte) {
	fixed := ours().FixPayload
	text, _ := fixed(data)
	again, _ := fixed(text)
	hold(func(t *laws.T) {
		if len(text) > 0 && !bytes.Equal(text, again) {
			t.Errorf("%q is fixed to %q, and that to %q", data, text, again)
		}
	})
}
