package laws

import (
	"bytes"
	"io"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
)

// A judgement is all that a reader tells about a payload.
type judgement struct {
	steps []PayloadStep
	end   PayloadEnd
}

// judge reads a payload to its end.
func judge(i Impl, src io.Reader, o rules.Options) judgement {
	var j judgement
	j.end = i.ReadPayload(src, o, func(s PayloadStep) bool {
		j.steps = append(j.steps, s)
		return true
	})
	return j
}

// judgeText reads a CSV text.
func judgeText(i Impl, text []byte, o rules.Options) judgement {
	o.Input = rules.InputCSV
	return judge(i, bytes.NewReader(text), o)
}

func (j judgement) findings() []Finding {
	var list []Finding
	for _, s := range j.steps {
		list = append(list, s.Findings...)
	}
	return list
}

// about are the findings about a data row, from 1, or with 0 those about no row.
func (j judgement) about(row int) []Finding {
	var list []Finding
	for _, s := range j.steps {
		for _, f := range s.Findings {
			if f.Row == row {
				list = append(list, f)
			}
		}
	}
	return list
}

// row is the usable row with a number; nil if there is none.
func (j judgement) row(number int) *PayloadRow {
	for _, s := range j.steps {
		if s.Row != nil && s.Row.Number == number {
			return s.Row
		}
	}
	return nil
}

// has reports whether a finding has a code, at a column unless that is zero.
func has(list []Finding, code ledger.Code, column rules.Column) bool {
	for _, f := range list {
		if f.Code == code && (column == 0 || f.Column == column) {
			return true
		}
	}
	return false
}

func hasError(list []Finding) bool {
	for _, f := range list {
		if f.Severity == ledger.SeverityError {
			return true
		}
	}
	return false
}

// cellDifference names the first column of a row that is not as it was written, with both values.
func cellDifference(got *PayloadRow, want gen.Cells) string {
	if got == nil {
		return "nothing: it cannot be used"
	}
	for i, value := range want {
		if got.Cells[i] != value {
			return gen.DocumentNames()[i] + " " + strconv.Quote(got.Cells[i]) + ", want " + strconv.Quote(value)
		}
	}
	return "the values that were written"
}

// endInWords is what a reader says at the end.
func endInWords(e PayloadEnd) string {
	text := strconv.Itoa(e.Rows) + " rows, " + strconv.Itoa(e.Valid) + " of them usable, " + strconv.Itoa(e.Errors) + " errors"
	if e.Err != nil {
		text += ", and could not be read to its end"
	}
	return text
}

// joinedLines are texts, a line each.
func joinedLines(list []string) string {
	if len(list) == 0 {
		return "nothing"
	}
	return strings.Join(list, "\n")
}

// textOf are findings, a line each.
func textOf(list []Finding) string {
	var b strings.Builder
	for _, f := range list {
		b.WriteString(f.String() + ": " + f.Text + "\n")
	}
	return b.String()
}
