package conform

// Judged reports whether a law is in the table of what the protocol can judge.
func Judged(law string) bool { return opsOf(law) != nil }
