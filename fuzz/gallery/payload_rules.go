package gallery

import (
	"io"
	"maps"

	"github.com/chargecast/chargecast/fuzz/laws"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
)

// ruleMembers lack one rule each: one for every rule of payloads, and for the rules that
// hold in many columns one for every column.
func ruleMembers() []Member {
	var list []Member
	for rule := range rules.Rules() {
		if rule.Code == rules.ScriptColumn {
			break // of updates
		}
		list = append(list, Member{"validator-without-" + string(rule.Code), "lacks the rule: " + rule.Text, by("V09"), rule.Bad, without(rule.Code)})
	}
	for column := range rules.Columns() {
		for _, rule := range rulesOf(column) {
			name := "validator-without-" + string(rule) + "-" + column.Name
			list = append(list, Member{name, "lacks the rule in one column", by("V09"), "the rule's invalid vector of " + column.Name, told(func(j *judged) {
				j.drop(func(f laws.Finding) bool { return f.Code == rule && f.Column == column.Column })
			})})
		}
	}
	return list
}

// rulesOf are the rules of many columns that hold in one.
func rulesOf(column rules.Spec) []ledger.Code {
	var list []ledger.Code
	switch {
	case column.Need == "R", column.Column == rules.ColumnCardPrintedName, column.Column == rules.ColumnExpireYear, column.Column == rules.ColumnExpireMonth:
		list = append(list, rules.MissingValue)
	}
	if column.Max > 0 {
		list = append(list, rules.TooLong)
	}
	if column.SourceOnly && column.Column != rules.ColumnPeriod && column.Column != rules.ColumnInterval {
		list = append(list, rules.SrcOnlyOnDst)
	}
	if column.Kind() == "date" {
		list = append(list, rules.DateSyntax, rules.DateNotADay)
	}
	return list
}

// without is our own validator with a rule switched off.
func without(code ledger.Code) laws.Impl {
	return ours(func(i *laws.Impl) {
		right := i.ReadPayload
		i.ReadPayload = func(src io.Reader, o rules.Options, yield func(laws.PayloadStep) bool) laws.PayloadEnd {
			o.Severity = maps.Clone(o.Severity)
			if o.Severity == nil {
				o.Severity = map[ledger.Code]ledger.Severity{}
			}
			o.Severity[code] = ledger.SeverityOff
			return right(src, o, yield)
		}
	})
}
