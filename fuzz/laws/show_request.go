package laws

import (
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/fuzz/oracle"
)

// Shown is the counterexample of a case whose value is itself what is asked: a payload. False for all
// others.
func (c *Case) Shown() (shown Counterexample, ok bool) {
	if v, is := c.Value.(gen.PayloadCase); is {
		return PayloadShown(v.Text()), true
	}
	return Counterexample{}, false
}

// AskedBase remembers a question about a base string. The caller passes the answer to the function that it returns.
func (w *Witness) AskedBase(r gen.SignRequest, oauth []gen.Pair) func(string, error) {
	w.Asked(func() Counterexample { return baseStringCommand(r, oauth) })
	return func(got string, err error) {
		if want, refused := Ours().BaseString(r, oauth); got != want || (err == nil) != (refused == nil) {
			w.Differs()
		}
	}
}

// AskedSign remembers a question about a signature. The caller passes the answer to the function that it returns.
func (w *Witness) AskedSign(r gen.SignRequest, c gen.SignChoices, key SignKey) func(string, error) {
	w.Asked(func() Counterexample { return signCommand(r, c, key) })
	return func(got string, err error) {
		if want, refused := Ours().Sign(r, c, key); got != want || (err == nil) != (refused == nil) {
			w.Differs()
		}
	}
}

// AskedOther remembers a question that no command can show.
func (w *Witness) AskedOther() { w.Asked(func() Counterexample { return Counterexample{} }) }

// baseStringCommand is a question about the base string of a request with some OAuth parameters: the body as
// it is sent, and the command that shows each stage. Zero if no command shows it.
func baseStringCommand(r gen.SignRequest, oauth []gen.Pair) Counterexample {
	if !posted(r) || len(oauth) == 0 {
		return Counterexample{}
	}
	var header []string
	for _, p := range oauth {
		header = append(header, p.Name+`="`+oracle.Encode(p.Value)+`"`)
	}
	return Counterexample{Command: bodyFile(r) +
		"chargecast check --only signature --trace" + requestFlags(r) + " --authorization " + shellQuoted("OAuth "+strings.Join(header, ", "))}
}

// standIn is the secret that commands have in place of that of the case, which is not shown.
const standIn = "secret"

// signCommand is a question about a signature. A request that no key can sign is shown as it is, with the
// command that refuses it; of any other the stages in front of the signature are, which need no key.
// Zero if no command line can hold the question.
func signCommand(r gen.SignRequest, c gen.SignChoices, key SignKey) Counterexample {
	if _, err := Ours().Sign(r, c, SignKey{Method: "HMAC-SHA1", Secret: standIn}); err == nil {
		if _, unreadable := Ours().Sign(r, c, key); unreadable != nil {
			return Counterexample{} // by its key, which is not shown
		}
		return baseStringCommand(r, Chosen(c, key.Method))
	}
	realm := ""
	if c.Realm != nil {
		realm = " --realm=" + shellQuoted(*c.Realm)
	}
	if !posted(r) || !printable(c.ConsumerKey+c.Nonce+c.Timestamp+realm) {
		return Counterexample{}
	}
	return Counterexample{Command: bodyFile(r) + "printf %s " + standIn + " > secret.txt\n" +
		"chargecast sign" + requestFlags(r) + " --secret-file secret.txt --consumer-key=" + shellQuoted(c.ConsumerKey) +
		" --nonce=" + shellQuoted(c.Nonce) + " --timestamp=" + shellQuoted(c.Timestamp) + realm}
}

// Chosen is what a signer puts into the header in front of the signature.
func Chosen(c gen.SignChoices, method string) []gen.Pair {
	var list []gen.Pair
	if c.Realm != nil {
		list = append(list, gen.Pair{Name: "realm", Value: *c.Realm})
	}
	return append(list, gen.Pair{Name: "oauth_consumer_key", Value: c.ConsumerKey}, gen.Pair{Name: "oauth_nonce", Value: c.Nonce},
		gen.Pair{Name: "oauth_signature_method", Value: method}, gen.Pair{Name: "oauth_timestamp", Value: c.Timestamp}, gen.Pair{Name: "oauth_version", Value: "1.0"})
}

// posted reports whether a request is what the command asks about: a POST that is not signed yet, to
// a URL that a command line can hold.
func posted(r gen.SignRequest) bool {
	return (r.Method == "POST" || r.Method == "") && r.Authorization == "" && printable(r.URL)
}

// printable reports whether a command line can hold a text, and a terminal show it.
func printable(text string) bool {
	for i, c := range text {
		if !strconv.IsPrint(c) || c == '\uFFFD' && text[i] != "\uFFFD"[0] {
			return false
		}
	}
	return true
}

// bodyFile writes the body.
func bodyFile(r gen.SignRequest) string {
	var pairs []string
	for _, p := range r.Params {
		pairs = append(pairs, oracle.Encode(p.Name)+"="+oracle.Encode(p.Value))
	}
	return "printf %s '" + strings.Join(pairs, "&") + "' > body.txt\n"
}

// requestFlags is the part of a command that says where a request goes, and with what.
func requestFlags(r gen.SignRequest) string {
	return " --dialect " + r.Profile + " --url " + shellQuoted(r.URL) + " --form body.txt"
}

// shellQuoted is a text as one word of a shell.
func shellQuoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
