package job

// A Status is the exit status of a job, with the meanings of the plain command.
type Status int

// The exit statuses.
const (
	StatusOK         Status = 0
	StatusFindings   Status = 1 // an error in a row, which was left out
	StatusUsage      Status = 2
	StatusUnreadable Status = 3 // a shard is missing or cannot be read as what it should be
	StatusFailed     Status = 4 // the job or its output failed
)

// A Fault ends a job. Its text holds no value of an input.
type Fault struct {
	Status Status
	Text   string
	Help   string // what to do; may be empty
}

// Error returns the text and the help.
func (f *Fault) Error() string {
	if f.Help == "" {
		return f.Text
	}
	return f.Text + ": " + f.Help
}

func usage(text, help string) error      { return &Fault{StatusUsage, text, help} }
func unreadable(text, help string) error { return &Fault{StatusUnreadable, text, help} }
func failed(text, help string) error     { return &Fault{StatusFailed, text, help} }
