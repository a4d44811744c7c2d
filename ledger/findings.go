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
// errors.Is finds a [Code] in it and errors.As a [Finding].
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

// Error returns the first error on one line, or the first finding if none is an error, and how
// many more there are.
func (fs Findings) Error() string {
	if len(fs) == 0 {
		return "no findings"
	}
	i := max(0, slices.IndexFunc(fs, func(f Finding) bool { return f.Severity == SeverityError }))
	s := fs[i].Error()
	if n := len(fs) - 1; n > 0 {
		s += " (and " + strconv.Itoa(n) + " more)"
	}
	return s
}

// Unwrap returns every finding.
func (fs Findings) Unwrap() []error {
	errs := make([]error, len(fs))
	for i, f := range fs {
		errs[i] = f
	}
	return errs
}
