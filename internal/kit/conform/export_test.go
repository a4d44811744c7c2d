package conform

import "time"

// Judged reports whether a law is in the table of what the protocol can judge.
func Judged(law string) bool { return opsOf(law) != nil }

// Wait sets how long a program may take for its reply to hello and for its last words.
func (p *Program) Wait(hello, last time.Duration) { p.patience.hello, p.patience.last = hello, last }

// Memory sets how many bytes the program may use.
func (p *Program) Memory(bytes int) { p.patience.memory = bytes }
