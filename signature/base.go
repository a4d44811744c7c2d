package signature

// BaseString is the text that is signed (5.2): method, base URI and normalised parameters, each percent-encoded, joined
// by two &. It is ASCII whatever the input.
//
// The signed set is the body's parameters, those of oauth that the profile signs (never realm, never oauth_signature)
// and, under RFC5849, the query's. Order does not matter; duplicates are kept (L60); an OAuth parameter that stands in
// body and oauth counts once, and is an error with two values (L61). Profiles with readings that serve diagnosis are
// taken here. The error is an *Error.
func BaseString(r Request, oauth []Param, p Profile) (string, error) {
	if p.forDiagnosis() {
		return diagnosticBase(r, oauth, p)
	}
	in, err := r.resolve(p)
	if err != nil {
		return "", err
	}
	var few [stackParams]Param
	params, err := in.appendSigned(few[:0], oauth, p)
	if err != nil {
		return "", err
	}
	sortParams(params)
	return string(appendBase(make([]byte, 0, baseSize(&r, params)), in.method, &in.url, params)), nil
}

// stackParams is how many parameters are collected without an allocation: the six of the real operation and some more.
const stackParams = 12

// baseSize is about what the base string will take: in base64 one byte in 32 becomes five.
func baseSize(r *Request, params []Param) int {
	size := len(r.URL) + len(r.URL)/2 + 64
	for i := range params {
		n := len(params[i].Name) + len(params[i].Value)
		size += n + n/6 + 16
	}
	return size
}

// appendBase writes the base string from sorted parameters. The third element is encoded twice, which is done in one
// pass from the raw values.
func appendBase(dst []byte, method string, u *urlParts, params []Param) []byte {
	dst = appendEncoded(dst, method)
	dst = append(dst, '&')
	var room [256]byte
	dst = appendEncoded(dst, u.appendBaseURI(room[:0]))
	dst = append(dst, '&')
	for i := range params {
		if i > 0 {
			dst = append(dst, "%26"...)
		}
		dst = appendEncodedTwice(dst, params[i].Name)
		dst = append(dst, "%3D"...)
		dst = appendEncodedTwice(dst, params[i].Value)
	}
	return dst
}
