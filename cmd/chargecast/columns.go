package main

import (
	"errors"
	"slices"
	"strings"
)

// A rename is another name for a column.
type rename struct{ Name, Column string }

// renames are other names for columns, in the order in which they were given. Column names are not checked.
type renames []rename

// setColumns adds those of a list COLUMN=NAME,COLUMN=NAME. A name may be in single or double quotes, as it must be
// with a comma or a quote inside; doubled quotes inside are one.
func (r *renames) setColumns(s string) error {
	for rest := s; ; {
		column, name, ok := strings.Cut(rest, "=")
		if !ok {
			return errors.New("write it as COLUMN=NAME,COLUMN=NAME")
		}
		name, rest, ok = cutQuoted(name)
		if !ok {
			return errors.New("a name in quotes ends with the quote that begins it, before a comma or the end")
		}
		column = strings.TrimSpace(column)
		if slices.ContainsFunc(*r, func(other rename) bool { return other.Column == column }) {
			return errors.New("one column is given two names, and only one can count")
		}
		if err := r.add(strings.TrimSpace(name), column); err != nil {
			return err
		}
		if rest == "" {
			return nil
		}
		rest = rest[1:]
	}
}

// cutQuoted cuts a name, in quotes or not, from what follows it: nothing, or what begins with a comma.
func cutQuoted(s string) (name, rest string, ok bool) {
	if s == "" || s[0] != '\'' && s[0] != '"' {
		if i := strings.IndexByte(s, ','); i >= 0 {
			return s[:i], s[i:], true
		}
		return s, "", true
	}
	quote := s[:1]
	for i := 1; i < len(s); i++ {
		if s[i] != quote[0] {
			continue
		}
		if i+1 < len(s) && s[i+1] == quote[0] {
			i++
			continue
		}
		name, rest = strings.ReplaceAll(s[1:i], quote+quote, quote), s[i+1:]
		return name, rest, rest == "" || rest[0] == ','
	}
	return "", "", false
}

func (r *renames) add(name, column string) error {
	if name == "" || column == "" {
		return errors.New("a name is empty")
	}
	for _, other := range *r {
		switch {
		case other.Name == name:
			return errors.New("one name is given for two columns")
		case other.Name == column || other.Column == name:
			return errors.New("a name is also the column of another: write a name of the file on one side, a column on the other")
		}
	}
	if name != column {
		*r = append(*r, rename{name, column})
	}
	return nil
}

// String returns the renames as COLUMN=NAME, with commas in between.
func (r *renames) String() string {
	var list []string
	for _, one := range *r {
		list = append(list, one.Column+"="+one.Name)
	}
	return strings.Join(list, ",")
}
