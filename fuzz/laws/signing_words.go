package laws

import (
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/signature/diagnose"
)

// answered returns what an implementation answered, or the words for its refusal.
func answered(got string, err error) string {
	if err != nil {
		return "refused (" + err.Error() + ")"
	}
	return strconv.Quote(got)
}

// otherBase says where a base string differs from the right one, and shows both.
func otherBase(got string, err error, want string) string {
	if err != nil {
		return "the base string is " + answered(got, err) + "\nwant " + strconv.Quote(want)
	}
	text := "the base string differs"
	if d := diagnose.Compare(want, got); d != nil {
		if text += ", " + d.Text; d.Parameter != "" {
			text += ": " + strconv.Quote(d.Parameter)
		}
	}
	return text + "\ngot  " + strconv.Quote(got) + "\nwant " + strconv.Quote(want)
}

// verdictInWords is what a verifier said: the signature is ok, but the request is not acceptable (nonce-length).
func verdictInWords(v SignVerdict) string {
	text := "the signature is " + v.Signature
	if v.Signature == "" {
		text = "the request is unusable"
	}
	if v.Stale {
		text += ", stale"
	}
	if text += ", the request is not acceptable"; v.Acceptable {
		text = strings.Replace(text, "is not acceptable", "is acceptable", 1)
	}
	if v.Consumer != "" {
		text += " from " + strconv.Quote(v.Consumer)
	}
	if len(v.Codes) > 0 {
		text += " (" + strings.Join(v.Codes, ", ") + ")"
	}
	return text
}

// askedInWords is what a verifier is asked about time and nonce.
func askedInWords(o SignOptions) string {
	number := func(n int64) string { return strconv.FormatInt(n, 10) }
	switch {
	case o.Window != 0:
		return "at " + number(o.Now) + " within " + number(o.Window) + " seconds"
	case o.NonceMin != 0 || o.NonceMax != 0:
		return "for a nonce of " + number(int64(o.NonceMin)) + " to " + number(int64(o.NonceMax)) + " bytes (0: any)"
	}
	return "for nothing about time or nonce"
}

// diagnosisInWords is what a diagnosis found.
func diagnosisInWords(d SignDiagnosis) string {
	if d.Match {
		return "the signature matches; the causes are " + inList(causesOf(d))
	}
	return "the signature does not match; the causes are " + inList(causesOf(d)) + "; known is " + inList(d.Known)
}

func inList(list []string) string {
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, ", ")
}

// headerInWords is what was read from a header.
func headerInWords(h SignHeader, err error) string {
	if err != nil {
		return answered("", err)
	}
	var parts []string
	if h.Realm != nil {
		parts = append(parts, "realm "+strconv.Quote(*h.Realm))
	}
	for _, p := range h.Params {
		parts = append(parts, p.Name+" "+strconv.Quote(p.Value))
	}
	return inList(parts)
}

// pairsInWords are the first parameters that one of two sorted lists has and the other lacks.
func pairsInWords(got, want []gen.Pair) string {
	lacking := func(list, from []gen.Pair) string {
		var names []string
		for _, p := range list {
			if i := slices.Index(from, p); i >= 0 {
				from = slices.Delete(slices.Clone(from), i, i+1)
				continue
			}
			names = append(names, strconv.Quote(p.Name)+" = "+strconv.Quote(p.Value))
		}
		return inList(names)
	}
	return "not wanted: " + lacking(got, want) + "; missing: " + lacking(want, got)
}
