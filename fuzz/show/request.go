package show

import (
	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/fuzz/subject"
)

// Value is the counterexample of a case whose value is itself what is asked: a payload, or a
// request. False for all others.
func Value(value any) (c Counterexample, ok bool) {
	switch v := value.(type) {
	case gen.PayloadCase:
		return Payload(v.Text()), true
	case gen.SignCase:
		return request(v.Request(), v.OAuth("HMAC-SHA1"))
	}
	return Counterexample{}, false
}

// request is a question about the signature of a request with some OAuth parameters: the body as it
// is sent, and the command that shows each stage of the base string. The command asks about POST
// alone.
func request(r subject.SignRequest, oauth []subject.Pair) (c Counterexample, ok bool) {
	if r.Method != "POST" {
		return Counterexample{}, false
	}
	var body, header string
	for i, p := range r.Params {
		if i > 0 {
			body += "&"
		}
		body += subject.SlowEncode(p.Name) + "=" + subject.SlowEncode(p.Value)
	}
	for i, p := range oauth {
		if i > 0 {
			header += ", "
		}
		header += p.Name + `="` + subject.SlowEncode(p.Value) + `"`
	}
	return Counterexample{Command: "printf %s '" + body + "' > body.txt\n" +
		"chargecast trace --profile " + r.Profile + " --url '" + r.URL + "' --form body.txt --show-values --authorization 'OAuth " + header + "'"}, true
}
