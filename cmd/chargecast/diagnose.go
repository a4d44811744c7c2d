package main

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/internal/strictjson"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/signature"
)

// diagnosing are the flags of diagnose.
type diagnosing struct {
	requestFlags
	baseString     string
	list           bool
	singles, pairs countFlag
	format         *choice
	colour         *choice
}

func newDiagnose(a *app) *cobra.Command {
	d := new(diagnosing)
	c := &cobra.Command{
		Use:   "diagnose",
		Short: "Explains a wrong signature",
		Long: `diagnose finds which known mistake, or which pair of mistakes, reproduces the signature of
a request. All smallest sets are shown, those that integrators meet most first: different
mistakes can give the same signature. For RSA the public key is enough. --list shows the
mistakes that are known. Where none of them explains the signature, each of up to 256
parameters is left out in turn: one may have been added after signing.

With --base-string it also shows the first place at which the base string of the software
that signed differs from the right one: parameter, byte, level of encoding.

The work is bounded by the size of the request: single mistakes are tried up to 1 MiB,
pairs up to 256 KiB. The output says what was not tried.

The exit code is that of verify: 0 if the request is acceptable, else 1.`,
		Example: `  chargecast diagnose --request captured.http --key public.pem
  chargecast diagnose --request captured.http --secret-env CONTROL_KEY --base-string theirs.txt -o json
  chargecast diagnose --list`,
		Args: noArguments,
	}
	d.register(c)
	d.registerHeader(c)
	c.Flags().StringVar(&d.baseString, "base-string", "", "`FILE` with the base string that was signed, to compare with")
	c.Flags().BoolVar(&d.list, "list", false, "list the known mistakes instead")
	c.Flags().Var(&d.singles, "max-singles", "largest request, in bytes, for which single mistakes are tried (default 1048576)")
	c.Flags().Var(&d.pairs, "max-pairs", "largest request, in bytes, for which pairs are tried (default 262144)")
	d.format = outputFlag(c, "text", "json")
	d.colour = colourFlag(c)
	c.RunE = func(*cobra.Command, []string) error { return d.run(a) }
	return c
}

// A diagnosis is what diagnose shows.
type diagnosis struct {
	signature.Diagnosis
	acceptable bool
	unsigned   bool // the request has no header to explain
	difference *signature.Difference
}

func (d *diagnosing) run(a *app) error {
	if d.list && d.format.value == "json" {
		a.out.b = appendMistakesJSON(a.out.b)
		a.out.endLine()
		return nil
	}
	if d.list {
		a.out.b = appendMistakes(a.out.b, a.text(d.colour.value))
		a.out.endLine()
		return nil
	}
	if err := d.onStdin(d.baseString); err != nil {
		return err
	}
	r, err := d.judged(a)
	if err != nil {
		return err
	}
	theirs, err := d.theirs(a)
	if err != nil {
		return err
	}
	key, err := d.verifyingKey(a)
	if err != nil {
		return err
	}
	found, refused := signature.Diagnose(context.Background(), r, key, signature.Options{Profile: d.rules()}, signature.Budget{Singles: int(d.singles), Pairs: int(d.pairs)})
	if found.Signature == 0 {
		if err := d.notJudged(found.Findings, refused); err != nil {
			return err
		}
	}
	found.Findings = together(d.found, found.Findings)
	if found.Signature == signature.VerdictMismatch && len(found.Causes) == 0 && (d.found.Has(signature.ContentLength) || d.found.Has(signature.BodyMissing)) {
		found.Known = slices.Insert(found.Known, 0, "the body is not as long as its Content-Length, so the capture does not have what was signed: capture the request whole")
	}
	shown := diagnosis{Diagnosis: found, acceptable: refused == nil, unsigned: r.Authorization() == ""}
	if theirs != "" {
		shown.compare(r, theirs, d.rules())
	}
	if d.format.value == "json" {
		a.out.b = appendDiagnosisJSON(a.out.b, &shown)
	} else {
		a.out.b = appendDiagnosis(a.out.b, &shown, a.text(d.colour.value))
	}
	a.out.endLine()
	if refused != nil {
		return errFindings
	}
	return nil
}

// theirs reads the base string of --base-string; empty without it.
func (d *diagnosing) theirs(a *app) (string, error) {
	if d.baseString == "" {
		return "", nil
	}
	base, err := a.readAll(d.baseString, int(d.maxBytes), limitBytes, raiseLimit)
	if err != nil {
		return "", err
	}
	text := strings.TrimRight(string(base), "\r\n")
	if text == "" {
		return "", unreadable("the file that --base-string names is empty", "write the base string into it, as the other software made it")
	}
	return text, nil
}

// compare finds the first difference of the right base string and theirs.
func (d *diagnosis) compare(r signature.Request, theirs string, p signature.Profile) {
	trace, err := signature.NewTrace(r, p)
	if err != nil {
		return // the findings say why
	}
	d.difference = signature.Compare(trace.BaseString(), theirs)
	if d.difference == nil && d.Signature != signature.VerdictOK && len(d.Causes) == 0 {
		d.Known = append(d.Known, "the base string that was given is the right one, so the key or the secret differs, or what was done with it")
	}
}

func appendDiagnosisJSON(dst []byte, d *diagnosis) []byte {
	dst = strconv.AppendBool(append(dst, `{"match":`...), d.Signature == signature.VerdictOK)
	dst = append(dst, `,"causes":[`...)
	for i, cause := range d.Causes {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendTexts(append(dst, `{"ids":`...), cause.IDs)
		dst = strictjson.AppendString(append(dst, `,"text":`...), cause.Text)
		dst = strictjson.AppendString(append(dst, `,"fix":`...), cause.Fix)
		dst = append(dst, '}')
	}
	dst = append(dst, `],"first_difference":`...)
	if f := d.difference; f == nil {
		dst = append(dst, "null"...)
	} else {
		dst = strictjson.AppendString(append(dst, `{"layer":`...), f.Layer)
		dst = strconv.AppendInt(append(dst, `,"element":`...), int64(f.Element), 10)
		dst = strictjson.AppendString(append(dst, `,"parameter":`...), f.Parameter)
		dst = strconv.AppendInt(append(dst, `,"index":`...), int64(f.Index), 10)
		dst = strconv.AppendInt(append(dst, `,"byte":`...), int64(f.Byte), 10)
		dst = strconv.AppendInt(append(dst, `,"offset":`...), int64(f.Offset), 10)
		dst = append(strictjson.AppendString(append(dst, `,"text":`...), f.Text), '}')
	}
	dst = appendTexts(append(dst, `,"known":`...), d.Known)
	dst = appendTexts(append(dst, `,"not_tried":`...), d.NotTried)
	return append(appendFindings(append(dst, `,"findings":`...), d.Findings), "}\n"...)
}

func appendTexts(dst []byte, texts []string) []byte {
	dst = append(dst, '[')
	for i, text := range texts {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strictjson.AppendString(dst, text)
	}
	return append(dst, ']')
}

// heading is the first line for people.
func (d *diagnosis) heading() string {
	switch {
	case d.acceptable:
		return "The signature is right."
	case d.Signature == signature.VerdictOK:
		return "The signature is right, but the request is not acceptable."
	case d.Signature == 0:
		return "The signature was not judged: the request is not one that can be signed."
	case d.unsigned:
		return "The request is not signed."
	case d.Signature == signature.VerdictUnreadable && len(d.Causes) == 0:
		return "The signature cannot be read."
	case len(d.Causes) == 0:
		return "The signature is wrong, and no known mistake explains it."
	case d.blamesKey():
		return "The signature is wrong" + d.length() + ", and nothing can be reproduced without the private key:"
	case len(d.Causes) == 1:
		return "The signature is wrong, and this reproduces it:"
	}
	return "The signature is wrong, and each of these alone reproduces it:"
}

// blamesKey reports whether the causes are about the key. They are then all that is known, and not proved.
func (d *diagnosis) blamesKey() bool {
	return len(d.Causes) > 0 && slices.Contains(d.Causes[0].IDs, "rsa-other-key")
}

// length names the finding about the length of the signature in a heading; empty for none.
func (d *diagnosis) length() string {
	if d.Findings.Has(signature.SignatureLength) {
		return " (" + string(signature.SignatureLength) + ")"
	}
	return ""
}

func appendDiagnosis(dst []byte, d *diagnosis, p paint) []byte {
	dst = p.wrapped(dst, "", d.heading())
	for _, cause := range d.Causes {
		dst = append(p.bold(append(dst, "\n  "...), strings.Join(cause.IDs, " + ")), '\n')
		dst = p.wrapped(dst, "    ", cause.Text)
		dst = p.hanging(append(dst, "    fix: "...), 9, cause.Fix)
	}
	for _, known := range d.Known {
		dst = p.wrapped(dst, "  ", known)
	}
	for _, left := range d.NotTried {
		dst = p.wrapped(dst, "  ", "not tried: "+left)
	}
	if f := d.difference; f != nil {
		dst = append(dst, "\nFirst difference of the base strings: "+f.Text...)
		if f.Parameter != "" {
			dst = append(dst, ": "+visible(f.Parameter)...)
		}
		dst = append(dst, ", byte "+strconv.Itoa(f.Byte)+" ("+f.Layer+", byte "+strconv.Itoa(f.Offset)+" of the base string)\n"...)
	}
	if rest := d.beside(); len(rest) > 0 {
		dst = appendFindingLines(append(dst, '\n'), rest)
	}
	return dst
}

// beside are the findings that say more than the heading and the causes.
func (d *diagnosis) beside() ledger.Findings {
	var rest ledger.Findings
	for _, f := range d.Findings {
		explained := len(d.Causes) > 0 && (f.Code == signature.SignatureLength || f.Code == signature.SignatureText)
		if f.Code != signature.SignatureWrong && !explained {
			rest = append(rest, f)
		}
	}
	return rest
}

func appendMistakesJSON(dst []byte) []byte {
	dst = append(dst, `{"schema":"chargecast.mistakes/1","mistakes":[`...)
	separator := "\n"
	for m := range signature.Mistakes() {
		dst = strictjson.AppendString(append(dst, separator+`{"id":`...), m.ID)
		dst = strconv.AppendInt(append(dst, `,"rank":`...), int64(m.Rank), 10)
		dst = strictjson.AppendString(append(dst, `,"slot":`...), m.Slot)
		dst = strictjson.AppendString(append(dst, `,"text":`...), m.Text)
		dst = append(strictjson.AppendString(append(dst, `,"fix":`...), m.Fix), '}')
		separator = ",\n"
	}
	return append(dst, "\n]}\n"...)
}

// appendMistakes appends the known mistakes, in their groups.
func appendMistakes(dst []byte, p paint) []byte {
	for m := range signature.Mistakes() {
		dst = append(p.bold(dst, m.ID), '\n')
		dst = p.wrapped(dst, "  ", m.Text)
		dst = p.hanging(append(dst, "  fix: "...), 7, m.Fix)
	}
	return dst
}
