package rules

// A Severity says what a finding does to a row. The zero value is none; in [Options]
// it stands for the default of the rule.
type Severity uint8

// The severities, the mildest first.
const (
	Off     Severity = iota + 1 // not reported
	Warning                     // reported; the row can be used
	Error                       // reported; the row, and so the request, cannot be used (L48)
)

// String is the word that flags and outputs use; empty for none.
func (s Severity) String() string {
	return [...]string{"", "off", "warning", "error"}[s&3]
}

// ParseSeverity reads "error", "warning" or "off" and nothing else.
func ParseSeverity(s string) (Severity, bool) {
	for v := Off; v <= Error; v++ {
		if v.String() == s {
			return v, true
		}
	}
	return 0, false
}
