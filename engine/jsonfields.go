package engine

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/calendar"
)

// A fieldReader takes the value of one field of a line.
type fieldReader struct {
	name string
	read func(v jsonValue) error
}

// readFields hands each field to its reader. An unknown name is an error that lists
// the right ones; nothing is guessed.
func readFields(fields []jsonField, readers []fieldReader) error {
	for _, f := range fields {
		i := slices.IndexFunc(readers, func(r fieldReader) bool { return r.name == f.name })
		if i < 0 {
			names := make([]string, len(readers))
			for i, r := range readers {
				names[i] = r.name
			}
			return &LineError{Code: codeUnknown, Col: f.col, Text: "no such field: use " + strings.Join(names, ", ")}
		}
		if err := readers[i].read(f.value); err != nil {
			if e, ok := errors.AsType[*LineError](err); ok && e.Field == "" {
				e.Field = f.name
			}
			return err
		}
	}
	return nil
}

// as is an error unless v has the form wanted.
func (v jsonValue) as(kind jsonKind, text string) error {
	if v.kind != kind {
		return &LineError{Code: codeType, Col: v.col, Text: text}
	}
	return nil
}

func readString(to *string) func(jsonValue) error {
	return func(v jsonValue) error {
		*to = v.text
		return v.as(jsonString, "a string in double quotes is wanted")
	}
}

// readWord reads a string that must be one of words; the index of the word counts.
func readWord[T ~uint8](to *T, code string, words ...string) func(jsonValue) error {
	return func(v jsonValue) error {
		if err := v.as(jsonString, "a string in double quotes is wanted"); err != nil {
			return err
		}
		i := slices.Index(words, v.text)
		if i < 0 || v.text == "" {
			return &LineError{Code: code, Col: v.col, Text: "use " + strings.Join(slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "" }), ", ")}
		}
		*to = T(i)
		return nil
	}
}

func readDate(to *calendar.Date) func(jsonValue) error {
	return func(v jsonValue) error {
		if err := v.as(jsonString, "a date in double quotes is wanted: YYYY-MM-DD"); err != nil {
			return err
		}
		d, err := calendar.Parse(v.text)
		switch {
		case errors.Is(err, calendar.ErrNotADay):
			return &LineError{Code: "date-not-a-day", Col: v.col, Text: "there is no such day"}
		case err != nil:
			return &LineError{Code: "date-syntax", Col: v.col, Text: "dates here are written YYYY-MM-DD"}
		}
		*to = d
		return nil
	}
}

// readCount reads a whole number from 0 to 2^63-1.
func readCount(to *uint64, code string) func(jsonValue) error {
	return func(v jsonValue) error {
		if err := v.as(jsonNumber, "a number without quotes is wanted"); err != nil {
			return err
		}
		n, err := strconv.ParseUint(v.text, 10, 63)
		if err != nil {
			return &LineError{Code: code, Col: v.col, Text: "a whole number from 0 to 9223372036854775807 is wanted"}
		}
		*to = n
		return nil
	}
}

// readList reads an array item by item.
func readList(item func(v jsonValue) error) func(jsonValue) error {
	return func(v jsonValue) error {
		if err := v.as(jsonArray, "a list in square brackets is wanted"); err != nil {
			return err
		}
		for _, i := range v.list {
			if err := item(i); err != nil {
				return err
			}
		}
		return nil
	}
}

// readObject reads an object by its own readers.
func readObject(readers ...fieldReader) func(jsonValue) error {
	return func(v jsonValue) error {
		if err := v.as(jsonObject, "an object in braces is wanted"); err != nil {
			return err
		}
		return readFields(v.fields, readers)
	}
}
