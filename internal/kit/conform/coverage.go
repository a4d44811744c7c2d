package conform

import "slices"

// covered are the laws that the protocol can judge, by the operations that they ask for. A law that
// is not here compares something that no reply carries: totals, states, reasons, positions.
var covered = [...]struct {
	ops  []string
	laws []string
}{
	{[]string{"forecast"}, []string{"T07", "T25", "T26", "T21"}},
	{[]string{"simulate"}, []string{"E23", "E31"}},
	{[]string{"validate"}, []string{"V03", "V04", "V05", "V06", "V07", "V08", "V22"}},
	{[]string{"decode"}, []string{"W01", "W04"}},
	{[]string{"encode"}, []string{"P01", "P02", "P06"}},
	{[]string{"base-string"}, []string{"B02", "B08"}},
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
