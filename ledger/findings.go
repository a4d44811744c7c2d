package ledger

import (
	"cmp"
	"slices"
	"strconv"
)

// Findings is a list of findings. The zero value is empty and ready for use.
type Findings []Finding

// Sort sorts the findings by file and offset, then by code and subject.
func (fs Findings) Sort() {
	slices.SortStableFunc(fs, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(a.Place.File, b.Place.File),
			cmp.Compare(a.Place.Offset, b.Place.Offset),
			cmp.Compare(a.Code, b.Code),
			cmp.Compare(a.Subject, b.Subject),
		)
	})
}

// Err returns the list as an error if one of the findings has [SeverityError], and nil otherwise.
// errors.Is finds the [Code] of each error in it, and errors.As the first error; neither finds a
// warning. errors.As with a Findings gives the whole list.
func (fs Findings) Err() error {
	if fs.Count(SeverityError) == 0 {
		return nil
	}
	return fs
}

// Count returns the number of findings of a severity.
func (fs Findings) Count(s Severity) int {
	n := 0
	for i := range fs {
		if fs[i].Severity == s {
			n++
		}
	}
	return n
}

// Has reports whether one of the findings has this code.
func (fs Findings) Has(c Code) bool {
	return slices.ContainsFunc(fs, func(f Finding) bool { return f.Code == c })
}

// Error returns the first error on one line, and how many more errors there are. Without an error it
// counts the warnings in the same way.
func (fs Findings) Error() string {
	list := fs.errors()
	if len(list) == 0 {
		list = fs
	}
	if len(list) == 0 {
		return "no findings"
	}
	text := list[0].Error()
	if n := len(list) - 1; n > 0 {
		text += " (and " + strconv.Itoa(n) + " more)"
	}
	return text
}

// Unwrap returns the findings that are errors, in their order. Warnings are no cause of an error.
func (fs Findings) Unwrap() []error {
	var list []error
	for _, f := range fs.errors() {
		list = append(list, f)
	}
	return list
}

// errors returns the findings with [SeverityError].
func (fs Findings) errors() Findings {
	var list Findings
	for _, f := range fs {
		if f.Severity == SeverityError {
			list = append(list, f)
		}
	}
	return list
}
