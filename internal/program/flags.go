package program

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/chargecast/chargecast/internal/nearest"
)

// A Flag is the value of a flag, read by a function. The zero value is of no use: see the constructors.
type Flag[T any] struct {
	V     T
	text  string
	kind  string
	parse func(string) (T, error)
}

// NewFlag returns a flag with the name of its value for the help, its default, which may be empty, and the function
// that reads it. The error of that function must not repeat the text, unless it is a Failure.
func NewFlag[T any](kind, text string, v T, parse func(string) (T, error)) Flag[T] {
	return Flag[T]{v, text, kind, parse}
}

// Or returns the flag with another default.
func (f Flag[T]) Or(v T, text string) Flag[T] {
	f.V, f.text = v, text
	return f
}

func (f *Flag[T]) String() string { return f.text }

// Type is what help shows as the flag's value.
func (f *Flag[T]) Type() string { return f.kind }

// Set reads the text of the flag.
func (f *Flag[T]) Set(s string) error {
	v, err := f.parse(s)
	if err == nil {
		f.V, f.text = v, s
	}
	return err
}

// maxCount is the most that a count can be: the same on every machine, and hundreds of times what any series has.
const maxCount = 1<<31 - 1

// Number returns a flag that is a whole number from least to most; its zero value, where it is not given, is not one
// that can be given unless least is 0.
func Number(least, most uint64) Flag[int64] {
	return NewFlag("N", "", 0, func(s string) (int64, error) {
		n, ok := WholeNumber(s)
		if !ok || n < least || n > most {
			return 0, errors.New("must be a whole number from " + strconv.FormatUint(least, 10) + " to " + strconv.FormatUint(most, 10))
		}
		return int64(n), nil
	})
}

// Count returns a flag that is a whole number from 1; 0 where it is not given.
func Count() Flag[int64] { return Number(1, maxCount) }

// Size returns a Count of what has no other limit.
func Size() Flag[int64] { return Number(1, math.MaxInt64) }

// Seed returns a flag with what chance is drawn from.
func Seed() Flag[uint64] { return Whole("0") }

// Whole returns a flag that is any whole number; the default, 0, is shown as text, which may be empty.
func Whole(text string) Flag[uint64] {
	return NewFlag("N", text, 0, func(s string) (uint64, error) {
		n, ok := WholeNumber(s)
		if !ok {
			return 0, errors.New("must be a whole number from 0 to 18446744073709551615")
		}
		return n, nil
	})
}

// Duration returns a flag that is a time above 0; a default of 0 is none.
func Duration(v time.Duration) Flag[time.Duration] {
	return NewFlag("DURATION", strings.TrimPrefix(v.String(), "0s"), v, func(s string) (time.Duration, error) {
		length, err := time.ParseDuration(s)
		if err != nil || length <= 0 {
			return 0, errors.New("write a time above 0 with its unit, such as 500ms, 10s or 5m")
		}
		return length, nil
	})
}

// WholeNumber reads decimal digits and nothing else.
func WholeNumber(s string) (n uint64, ok bool) {
	for i := range len(s) {
		d := s[i] - '0'
		if d > 9 || n > (1<<64-1-uint64(d))/10 {
			return 0, false
		}
		n = n*10 + uint64(d)
	}
	return n, s != ""
}

// OneOf returns a flag with a closed set of words, the first of them the default.
func OneOf(words ...string) *Flag[string] {
	f := Among(words...).Or(words[0], words[0])
	return &f
}

// Among returns a flag with a closed set of words; empty where it is not given.
func Among(words ...string) *Flag[string] {
	f := NewFlag(strings.Join(words, "|"), "", "", func(s string) (string, error) {
		if !slices.Contains(words, s) {
			return "", Usage("no such value"+DidYouMean(s, words, ""), "use one of "+strings.Join(words, ", "))
		}
		return s, nil
	})
	return &f
}

// Output adds -o with the command's formats, the default first.
func Output(c *cobra.Command, formats ...string) *Flag[string] {
	f := OneOf(formats...)
	c.Flags().VarP(f, "output", "o", "`FORMAT` of the output: "+strings.Join(formats, ", "))
	return f
}

// A Repeatable is the value of a flag that may be given several times, as may slices; of any other flag one value can
// count, and two are refused.
type Repeatable interface{ Repeats() }

// A single is the value of a flag that may be given once.
type single struct {
	pflag.Value
	given bool
}

func (s *single) Set(text string) error {
	if s.given && (s.Type() != "bool" || s.String() != text) {
		return Usage("is given twice, and only one value can count", "keep one of the two")
	}
	s.given = true
	return s.Value.Set(text)
}

// singles has the flags of a command refuse a second value where only one can count: the last one counted, in silence.
func singles(c *cobra.Command) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		switch f.Value.(type) {
		case Repeatable, pflag.SliceValue, *single:
			return
		}
		f.Value = &single{Value: f.Value}
	})
}

// flagError turns what the flag parser says, which repeats what was typed, into a usage error that does not.
func flagError(c *cobra.Command, err error) error {
	see := "see: " + c.CommandPath() + " --help"
	if value, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		f, cause := value.GetFlag(), errors.Unwrap(value)
		wrong, isFailure := errors.AsType[*Failure](cause)
		switch {
		case isFailure && strings.HasPrefix(wrong.Text, "is "):
			return Usage("--"+f.Name+" "+wrong.Text, wrong.Help)
		case f.Value.Type() == "bool": // whose error repeats the value
			return Usage("--"+f.Name+" takes no value, or =true or =false", see)
		case value.GetValue() == "":
			return emptyFlag(f)
		case isFailure:
			return Usage("--"+f.Name+": "+wrong.Text, wrong.Help)
		}
		return Usage("--"+f.Name+": "+cause.Error(), see)
	}
	if value, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		f := value.GetFlag()
		text := "--" + f.Name + " needs a value"
		if words := f.Value.Type(); strings.Contains(words, "|") {
			text += ": one of " + strings.ReplaceAll(words, "|", ", ")
		}
		return Usage(text, see)
	}
	unknown, ok := errors.AsType[*pflag.NotExistError](err)
	if !ok {
		return Usage("a flag is not written --name or --name=value", see)
	}
	name := unknown.GetSpecifiedName()
	for _, word := range [...]string{"secret", "passw", "control", "private"} { // a guess could put the secret into another flag
		if strings.Contains(name, word) {
			return Usage("unknown flag: no flag takes a secret itself", "use --secret-file, --secret-env or --key, which name where it is")
		}
	}
	if short := unknown.GetSpecifiedShortnames(); short != "" { // with what follows the letter, which may be a value
		return Usage("unknown flag"+named("-", name)+oneHyphen(c, short), see)
	}
	return Usage("unknown flag"+named("--", name)+DidYouMean(name, FlagNames(c), "--"), see)
}

// oneHyphen is the end of a sentence about -name, where --name is a flag: other programs take both.
func oneHyphen(c *cobra.Command, typed string) string {
	name, _, _ := strings.Cut(typed, "=")
	if c.Flags().Lookup(name) == nil {
		return ""
	}
	return "; did you mean --" + name + "?"
}

// FlagNames are the names of a command's flags.
func FlagNames(c *cobra.Command) (names []string) {
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return names
}

// takenEmpty are the flags for which an empty text is a value, or is reported as one that is wrong.
var takenEmpty = [...]string{"realm", "authorization", "nonce", "timestamp", "now", "param"}

// notEmpty refuses the flags that were given an empty text, which is what an unset variable of a shell leaves: without
// its file, policy or URL a command would do something else than was asked. Flags that take no empty text at all are
// refused by flagError in the same words.
func notEmpty(c *cobra.Command) (err error) {
	c.Flags().Visit(func(f *pflag.Flag) {
		kind, text := f.Value.Type(), f.Value.String()
		if err == nil && (kind == "string" && text == "" || (kind == "stringSlice" || kind == "stringArray") && text == "[]") && !slices.Contains(takenEmpty[:], f.Name) {
			err = emptyFlag(f)
		}
	})
	return err
}

// emptyFlag refuses a flag that was given an empty text.
func emptyFlag(f *pflag.Flag) error {
	what, _ := pflag.UnquoteUsage(f)
	if what == "FILE" {
		return Unreadable("--"+f.Name+": the name of the file is empty", "give a path, or leave the flag out")
	}
	return Usage("--"+f.Name+" is empty", "give "+what+", or leave the flag out")
}

// DidYouMean is the end of a sentence about an unknown word.
func DidYouMean(word string, candidates []string, prefix string) string {
	if i, ok := nearest.Of(word, candidates); ok {
		return "; did you mean " + prefix + candidates[i] + "?"
	}
	return ""
}

// named is a mistyped flag with a blank before it if it can be shown: one of letters and hyphens alone, which no card
// number and hardly a key is; else empty.
func named(prefix, word string) string {
	const longest = 24 // keys and tokens are longer
	if word == "" || len(word) > longest {
		return ""
	}
	for i := range len(word) {
		if c := word[i] | 0x20; (c < 'a' || c > 'z') && word[i] != '-' {
			return ""
		}
	}
	return " " + prefix + word
}
