package main

import (
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/internal/jsontext"
	"github.com/chargecast/chargecast/signature"
)

// A diagnosing is the flags of diagnose.
type diagnosing struct {
	requestFlags
	baseString string
	format     *choice
	colour     *choice
}

func newDiagnose(a *app) *cobra.Command {
	d := new(diagnosing)
	c := &cobra.Command{
		Use:   "diagnose",
		Short: "Explains a wrong signature",
		Long: `diagnose tells which known mistake, or which pair of mistakes, reproduces the signature of
a request. All smallest sets are shown, those that integrators meet most first: different
mistakes may give the same signature. For RSA the public key is enough.

With --base-string it also tells the first place at which the base string of the software
that signed differs from the right one: parameter, byte, level of encoding.

The exit code is 0 when the signature is right, else 1.`,
		Example: `  chargecast diagnose --request captured.http --key public.pem
  chargecast diagnose --request captured.http --secret-env CONTROL_KEY --base-string theirs.txt -o json`,
		Args: noArguments,
	}
	d.register(c)
	d.registerHeader(c)
	c.Flags().StringVar(&d.baseString, "base-string", "", "`FILE` with the base string that was signed, to compare with")
	d.format = outputFlag(c, "text", "json")
	d.colour = colourFlag(c)
	c.RunE = func(*cobra.Command, []string) error { return d.run(a) }
	return c
}

func (d *diagnosing) run(a *app) error {
	key, err := d.verifyingKey(a)
	if err != nil {
		return err
	}
	r, err := d.read(a)
	if err != nil {
		return err
	}
	header, err := d.header()
	if err != nil {
		return err
	}
	e := signature.Evidence{Authorization: header}
	if d.baseString != "" {
		base, err := a.readAll(d.baseString, int(d.maxBytes), limitBytes, raiseLimit)
		if err != nil {
			return err
		}
		e.BaseString = strings.TrimRight(string(base), "\r\n")
		if e.BaseString == "" {
			return unreadable("the file that --base-string names is empty", "write the base string into it, as the other software made it")
		}
	}
	found, err := signature.Diagnose(r, e, key, d.rules())
	if err != nil {
		return signatureError(err)
	}
	found.Findings = append(d.captured.Findings, found.Findings...)
	if d.format.value == "json" {
		a.out.b = appendDiagnosisJSON(a.out.b, found)
	} else {
		a.out.b = appendDiagnosis(a.out.b, found, paint(a.colourful(d.colour.value)))
	}
	a.out.endLine()
	if !found.Match {
		return errFindings
	}
	return nil
}

func appendDiagnosisJSON(dst []byte, d signature.Diagnosis) []byte {
	dst = strconv.AppendBool(append(dst, `{"match":`...), d.Match)
	dst = append(dst, `,"causes":[`...)
	for i, cause := range d.Causes {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendTexts(append(dst, `{"ids":`...), cause.IDs)
		dst = jsontext.AppendString(append(dst, `,"text":`...), cause.Text)
		dst = jsontext.AppendString(append(dst, `,"fix":`...), cause.Fix)
		dst = append(dst, '}')
	}
	dst = append(dst, `],"first_difference":`...)
	if f := d.FirstDifference; f == nil {
		dst = append(dst, "null"...)
	} else {
		dst = jsontext.AppendString(append(dst, `{"layer":`...), f.Layer.String())
		dst = strconv.AppendInt(append(dst, `,"element":`...), int64(f.Element), 10)
		dst = jsontext.AppendString(append(dst, `,"parameter":`...), f.Parameter)
		dst = strconv.AppendInt(append(dst, `,"index":`...), int64(f.Index), 10)
		dst = strconv.AppendInt(append(dst, `,"byte":`...), int64(f.Byte), 10)
		dst = strconv.AppendInt(append(dst, `,"offset":`...), int64(f.Offset), 10)
		dst = append(jsontext.AppendString(append(dst, `,"text":`...), f.Text), '}')
	}
	dst = appendTexts(append(dst, `,"known":`...), d.Known)
	return append(appendFindings(append(dst, `,"findings":`...), d.Findings), "}\n"...)
}

func appendTexts(dst []byte, texts []string) []byte {
	dst = append(dst, '[')
	for i, text := range texts {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = jsontext.AppendString(dst, text)
	}
	return append(dst, ']')
}

func appendDiagnosis(dst []byte, d signature.Diagnosis, p paint) []byte {
	switch {
	case d.Match:
		dst = append(dst, "The signature is right.\n"...)
	case len(d.Causes) == 0:
		dst = append(dst, "The signature is wrong, and no known mistake explains it.\n"...)
	case len(d.Causes) == 1:
		dst = append(dst, "The signature is wrong, and this reproduces it:\n"...)
	default:
		dst = append(dst, "The signature is wrong, and each of these alone reproduces it:\n"...)
	}
	for _, cause := range d.Causes {
		dst = append(p.bold(append(dst, "\n  "...), strings.Join(cause.IDs, " + ")), '\n')
		dst = appendWrapped(dst, "    ", cause.Text)
		dst = appendHanging(append(dst, "    fix: "...), 9, cause.Fix)
	}
	for _, known := range d.Known {
		dst = appendWrapped(dst, "  ", known)
	}
	if f := d.FirstDifference; f != nil {
		dst = append(dst, "\nFirst difference of the base strings: "+f.Text...)
		if f.Parameter != "" {
			dst = append(dst, ": "+visible(f.Parameter)...)
		}
		dst = append(dst, ", byte "+strconv.Itoa(f.Byte)+" ("+f.Layer.String()+", byte "+strconv.Itoa(f.Offset)+" of the base string)\n"...)
	}
	if len(d.Findings) > 0 {
		dst = appendFindingLines(append(dst, '\n'), d.Findings)
	}
	return dst
}
