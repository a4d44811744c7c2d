package rules

import (
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/ledger"
)

// amountModes is the set of amount choices that a row makes (2.2.5).
type amountModes uint8

const (
	modeFixed amountModes = 1 << iota
	modeRange
	modeSequence
)

// modesOf is what the amount columns with a value choose, by the bits of amount, amount-from, amount-to
// and amount-sequence. Which of them a row fills is hard to foresee, so it is not asked one by one.
var modesOf = func() (all [16]amountModes) {
	for given := range all {
		if given&0b0001 != 0 {
			all[given] |= modeFixed
		}
		if given&0b0110 != 0 {
			all[given] |= modeRange
		}
		if given&0b1000 != 0 {
			all[given] |= modeSequence
		}
	}
	return all
}()

// longestAmount is more characters than any amount that is worth converting has: the
// document allows 10.
const longestAmount = 40

// amount judges and types one of the three columns of single amounts (L35, L36).
func (r *Reader) amount(col Column, s string) {
	a, ok := amountOf(s)
	if !ok {
		if help, form := amountForm(s); !form {
			r.refuse(AmountSyntax, col).adviseIf(help)
			return
		}
		r.unread.add(col) // its length is reported already
		return
	}
	if isPadded(s) {
		r.on(LeadingZero, col)
	}
	if a.IsZero() {
		r.on(AmountZero, col)
	}
	switch col {
	case ColumnAmountFrom:
		r.amounts.from = a
	case ColumnAmountTo:
		r.amounts.to = a
	default:
		r.amounts.fixed = a
	}
}

// isPadded reports whether an amount of right form has needless zeros before it.
func isPadded(s string) bool { return s[0] == '0' && len(s) > 1 && s[1] != '.' }

// amountOf converts an amount; false where its form is wrong or it is too long.
func amountOf(s string) (amount.Amount, bool) {
	if len(s) > longestAmount {
		return amount.Amount{}, false
	}
	a, err := amount.Parse(s)
	return a, err == nil
}

// amountForm reports whether s is digits, or digits, a point and digits; if not, help may
// say what to do in this case (L36).
func amountForm(s string) (help string, ok bool) {
	whole := leadingDigits(s)
	if whole == len(s) && whole > 0 {
		return "", true
	}
	if whole > 0 && s[whole] == '.' {
		if rest := s[whole+1:]; rest != "" && leadingDigits(rest) == len(rest) {
			return "", true
		}
	}
	return amountHelp(s[whole:]), false
}

// amountHelp is the remedy for an amount whose digits are followed by rest.
func amountHelp(rest string) string {
	switch {
	case strings.Contains(rest, ","):
		return "use a decimal point, and no mark between thousands"
	case strings.HasPrefix(rest, "e"), strings.HasPrefix(rest, "E"):
		return "write the amount out in digits, without an exponent"
	case strings.HasPrefix(rest, "-"), strings.HasPrefix(rest, "+"), strings.HasPrefix(rest, "−"):
		return "write the amount without a sign"
	}
	return ""
}

func leadingDigits(s string) int {
	i := 0
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	return i
}

// judgeAmounts judges the amount columns together (2.2.5, L33, L34, L36c).
func (r *Reader) judgeAmounts() {
	given := r.filled
	from, to := given.has(ColumnAmountFrom), given.has(ColumnAmountTo)
	modes := modesOf[given>>ColumnAmount%columnSet(len(modesOf))]
	r.rec.modes = modes
	if from != to {
		col := ColumnAmountFrom
		if to {
			col = ColumnAmountTo
		}
		r.lacks(AmountHalfRange, col, 1<<ColumnAmountFrom|1<<ColumnAmountTo)
	}
	switch {
	case modes == 0:
		r.lacks(AmountMissing, ColumnAmount, amountColumns)
	case modes&(modes-1) != 0:
		r.unread.add(ColumnAmount)
		r.on(AmountModes, r.firstOf(ColumnAmount, ColumnAmountFrom, ColumnAmountTo, ColumnAmountSequence))
	}
	if r.amounts.from.Compare(r.amounts.to) > 0 && from && to && !r.unread.has(ColumnAmountFrom) && !r.unread.has(ColumnAmountTo) &&
		!(r.amounts.to.IsZero() && r.settle(AmountZero, ledger.SeverityError) == ledger.SeverityError) { // a zero that must be replaced has no order yet
		r.refuse(AmountOrder, ColumnAmountFrom)
	}
	r.scales()
	r.recordAmounts()
}

// firstOf is the first of the columns that has a value.
func (r *Reader) firstOf(cols ...Column) Column {
	for _, c := range cols {
		if r.filled.has(c) {
			return c
		}
	}
	return cols[0]
}

// scales compares the decimals of amounts with those of the currency (L36c).
func (r *Reader) scales() {
	digits, ok := r.kept.minor.of(r.rec.Currency)
	if !ok {
		return
	}
	r.scale(ColumnAmount, r.amounts.fixed, digits)
	r.scale(ColumnAmountFrom, r.amounts.from, digits)
	r.scale(ColumnAmountTo, r.amounts.to, digits)
	if r.amounts.sequence.scale > digits && r.filled.has(ColumnAmountSequence) {
		r.on(AmountScale, ColumnAmountSequence).decimals(r.amounts.sequence.scale, digits).element(r.amounts.sequence.element)
	}
}

func (r *Reader) scale(col Column, a amount.Amount, digits int) {
	if a.Scale() > digits {
		r.reportScale(col, a.Scale(), digits)
	}
}

func (r *Reader) reportScale(col Column, scale, digits int) {
	r.on(AmountScale, col).decimals(scale, digits)
}

// decimals says how many decimals there are and how many the currency has.
func (f *finding) decimals(actual, digits int) *finding {
	if f != nil {
		decimals := " decimals"
		if actual == 1 {
			decimals = " decimal"
		}
		f.Message = "the amount has " + strconv.Itoa(actual) + decimals + ", the currency " + strconv.Itoa(digits)
	}
	return f
}

// adviseIf replaces the remedy unless help is empty.
func (f *finding) adviseIf(help string) *finding {
	if help == "" {
		return f
	}
	return f.advise(help)
}

// more says how many others have the same fault.
func (f *finding) more(n int, what string) *finding {
	if f != nil {
		f.Message += " (and " + strconv.Itoa(n) + " more " + plural(int64(n), what) + ")"
	}
	return f
}
