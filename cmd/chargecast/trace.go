package main

import (
	"strconv"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/internal/strictjson"
	"github.com/chargecast/chargecast/signature"
)

// tracing are the flags of trace.
type tracing struct {
	requestFlags
	oauthFlags
	values bool
	format *choice
}

func newTrace(a *app) *cobra.Command {
	t := new(tracing)
	c := &cobra.Command{
		Use:   "trace",
		Short: "Shows every stage of a signature",
		Long: `trace shows a request on its way to the signature: the parameters as collected, as
encoded and sorted, the three elements, the base string, its digests and, if the request
is signed here, the signature and the header. The OAuth parameters come from --authorization or
from a captured request; without either they come from --consumer-key, --nonce and
--timestamp, as for sign.

Values of the body are shown as their length, since a payload holds card numbers;
--show-values shows them. Keys and secrets are never shown.`,
		Example: `  chargecast trace --request captured.http
  chargecast trace --url "$URL" --payload profiles.csv --consumer-key merchant-login --key key.pem`,
		Args: noArguments,
	}
	t.requestFlags.register(c)
	t.registerHeader(c)
	t.oauthFlags.register(c)
	c.Flags().BoolVar(&t.values, "show-values", false, "show the values of body parameters")
	t.format = outputFlag(c, "text", "json")
	c.RunE = func(*cobra.Command, []string) error { return t.run(a) }
	return c
}

// A stage is one line of a trace.
type stage struct{ name, text string }

func (t *tracing) run(a *app) error {
	if err := t.onStdin(); err != nil {
		return err
	}
	r, err := t.read(a)
	if err != nil {
		return err
	}
	var stages []stage
	if signed, none := t.signed(r); none == nil {
		r = signed
	} else if r, stages, err = t.sign(a, r); err != nil {
		return err
	}
	trace, err := signature.NewTrace(r, t.rules())
	if err != nil {
		return t.requestError(err)
	}
	a.tell(t.found)
	a.tell(trace.Findings())
	a.fit(t.format.value)
	a.out.b = t.append(a.out.b, trace, stages)
	a.out.endLine()
	return nil
}

// sign signs the request, and returns the stages after the base string.
func (t *tracing) sign(a *app, r signature.Request) (signature.Request, []stage, error) {
	o, err := t.oauth(a)
	if err != nil {
		return r, nil, err
	}
	key, err := t.signingKey(a)
	if err != nil {
		return r, nil, err
	}
	signed, err := signature.Sign(r, o, key, t.rules())
	if err != nil {
		return r, nil, t.requestError(err)
	}
	return signed.Request(), []stage{{"signature", signed.Signature()}, {"authorization", signed.Authorization()}}, nil
}

// shown is a value of a parameter, or its length.
func (t *tracing) shown(p signature.TracedParam, value string) string {
	if p.Source() != "body" || t.values {
		return value
	}
	return "<" + counted(strconv.Itoa(len(value)), "byte") + ">"
}

// joined is the third element, and its encoding, with values shown as they may be.
func (t *tracing) joined(trace signature.Trace) (once, twice string) {
	for i, p := range trace.Sorted() {
		name, value := p.Encoded().Name(), p.Encoded().Value()
		if i > 0 {
			once += "&"
			twice += "%26"
		}
		once += name + "=" + t.shown(p, value)
		twice += signature.Encode(name) + "%3D" + t.shown(p, signature.Encode(value))
	}
	return once, twice
}

func (t *tracing) append(dst []byte, trace signature.Trace, more []stage) []byte {
	once, twice := t.joined(trace)
	stages := append([]stage{
		{"method", trace.Method()},
		{"uri", trace.URI()},
		{"parameters", once},
		{"base_string", signature.Encode(trace.Method()) + "&" + signature.Encode(trace.URI()) + "&" + twice},
		{"sha256", trace.SHA256()},
		{"sha1", trace.SHA1()},
	}, more...)
	if t.format.value != "json" {
		dst = t.appendParams(append(dst, "collected\n"...), trace.Collected(), false)
		dst = t.appendParams(append(dst, "encoded and sorted\n"...), trace.Sorted(), true)
		for _, s := range stages {
			dst = append(dst, s.name+"\n  "+visible(s.text)+"\n"...)
		}
		return dst
	}
	dst = t.appendParamsJSON(append(dst, `{"collected":`...), trace.Collected(), false)
	dst = t.appendParamsJSON(append(dst, `,"sorted":`...), trace.Sorted(), true)
	for _, s := range stages {
		dst = append(strictjson.AppendString(append(dst, ','), s.name), ':')
		dst = strictjson.AppendString(dst, s.text)
	}
	return append(dst, "}\n"...)
}

func side(p signature.TracedParam, encoded bool) signature.Param {
	if encoded {
		return p.Encoded()
	}
	return p.Raw()
}

func (t *tracing) appendParams(dst []byte, list []signature.TracedParam, encoded bool) []byte {
	for _, p := range list {
		one := side(p, encoded)
		dst = append(dst, "  "+visible(one.Name())+" = "+visible(t.shown(p, one.Value()))+"  ("+p.Source()+")\n"...)
	}
	return dst
}

func (t *tracing) appendParamsJSON(dst []byte, list []signature.TracedParam, encoded bool) []byte {
	dst = append(dst, '[')
	for i, p := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		one := side(p, encoded)
		dst = strictjson.AppendString(append(dst, `{"source":`...), p.Source())
		dst = strictjson.AppendString(append(dst, `,"name":`...), one.Name())
		dst = strictjson.AppendString(append(dst, `,"value":`...), t.shown(p, one.Value()))
		dst = append(dst, '}')
	}
	return append(dst, ']')
}
