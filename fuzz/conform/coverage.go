package conform

import "slices"

// covered are the laws that the protocol can judge, by the operations that they ask for. A law that
// is not here compares something that no reply carries: totals, states, reasons, positions.
var covered = [...]struct {
	ops  []string
	laws []string
}{
	{[]string{"forecast"}, []string{
		"A11", "R01", "R04", "R06", "T01", "T02", "T03", "T04", "T05", "T06", "T08", "T09", "T11", "T12", "T13", "T14", "T15", "T18", "T20", "T21", "T23", "T24",
		"Y02", "Y03", "Y04", "Y05", "Y06", "Y07", "Y08", "Y09", "Y11",
	}},
	{[]string{"simulate"}, []string{"R02", "R03", "R05", "R07", "E04", "E07", "E19", "E22", "E23"}},
	{[]string{"forecast", "simulate"}, []string{"E03"}},
	{[]string{"validate"}, []string{"V03", "V04", "V05", "V06", "V07", "V08", "V22"}},
	{[]string{"decode"}, []string{"W01", "W04"}},
	{[]string{"encode"}, []string{"P02", "P03", "P04", "P05", "P06"}},
	{[]string{"base-string"}, []string{"U02", "U03", "U04", "B01", "B02", "B03", "B04", "B06", "B07", "B08"}},
	{[]string{"sign"}, []string{"S04", "S10"}},
	{[]string{"sign", "verify"}, []string{"S01", "S02", "S03", "S06", "S07", "S09"}},
	{[]string{"verify"}, []string{"S05"}},
}

// opsOf are the operations that a law asks for; nil for a law that the protocol cannot judge.
func opsOf(law string) []string {
	for _, c := range covered {
		if slices.Contains(c.laws, law) {
			return c.ops
		}
	}
	return nil
}

// judges reports whether a law can be judged by the operations that the program answers.
func (p *Program) judges(law string) bool {
	ops := opsOf(law)
	for _, op := range ops {
		if !p.answers(op) {
			return false
		}
	}
	return ops != nil
}
