package signature

import (
	"strconv"
	"strings"
)

// appendCandidate appends the base string of a recipe; third is its third element.
func (m *material) appendCandidate(dst []byte, r *restRecipe, third string) []byte {
	start := len(dst)
	dst = r.encoder.append(dst, m.methodOf(r))
	dst = append(dst, '&')
	if r.rawURL {
		dst = append(dst, m.uriOf(r)...)
	} else {
		dst = r.encoder.append(dst, m.uriOf(r))
	}
	dst = append(dst, '&')
	dst = append(dst, third...)
	if r.whole {
		whole := string(dst[start:])
		dst = appendEncoded(dst[:start], whole)
	}
	return append(dst, r.end...)
}

func (m *material) methodOf(r *restRecipe) string {
	switch {
	case r.method == methodLower:
		return strings.ToLower(m.method)
	case r.method == methodOther && m.method == "POST":
		return "GET"
	case r.method == methodOther:
		return "POST"
	}
	return m.method
}

// uriOf builds the second element before its encoding, part by part.
func (m *material) uriOf(r *restRecipe) string {
	var out []byte
	if !r.pathOnly {
		out = m.appendOrigin(out, r)
	}
	out = append(out, m.pathOf(r)...)
	if m.url.hasQuery && (r.query == queryKept || r.query == queryOnly || r.query == queryRight && r.verbatim) {
		out = append(append(out, '?'), m.url.query...)
	}
	if r.verbatim && m.url.hasFragment {
		out = append(append(out, '#'), m.url.fragment...)
	}
	return string(out)
}

func (m *material) appendOrigin(out []byte, r *restRecipe) []byte {
	u := &m.url
	scheme, host := u.scheme, u.host
	if !r.hostTyped && !r.verbatim {
		scheme, host = string(appendLower(nil, scheme)), string(appendLower(nil, host))
	}
	secure := u.secure() != r.otherScheme
	if r.otherScheme {
		scheme = "http"
		if secure {
			scheme = "https"
		}
	}
	out = append(append(out, scheme...), "://"...)
	if r.verbatim && u.hasUserinfo {
		out = append(append(out, u.userinfo...), '@')
	}
	return m.appendPort(append(out, host...), r, secure)
}

func (m *material) appendPort(out []byte, r *restRecipe, secure bool) []byte {
	u := &m.url
	own := defaultPort(u.secure())
	isDefault := u.number == 0 || u.number == own
	switch {
	case r.port == portDropped && !isDefault:
		return out
	case r.port == portKept && isDefault:
		return strconv.AppendInt(append(out, ':'), int64(own), 10)
	case r.port == portKeptOfSigned && isDefault:
		return strconv.AppendInt(append(out, ':'), int64(defaultPort(secure)), 10)
	case u.hasPort && (r.verbatim || r.port == portKeptAsTyped):
		return append(append(out, ':'), u.port...)
	}
	return u.appendPort(out)
}

func (m *material) pathOf(r *restRecipe) string {
	path := m.url.path
	if i := strings.LastIndexByte(strings.TrimSuffix(path, "/"), '/'); i >= 0 {
		switch r.segment {
		case segmentDropped:
			path = path[:i]
		case segmentDroppedAfterSlash:
			path = path[:i+1]
		case segmentRight:
		}
	}
	if r.pathDecoded {
		if decoded, err := decode(path, PartURL, 0); err == nil {
			path = decoded
		}
	}
	switch {
	case m.url.path == "" && r.slash == slashAdded && !r.verbatim:
		return "//" // it was added to the slash that an empty path has
	case path == "" && r.slash != slashEmptyKept && !r.verbatim:
		return "/"
	case r.slash == slashAdded && (path != "" || r.verbatim):
		return path + "/"
	}
	return path
}

// diagnosticBase is BaseString for a profile with readings of diagnosis.
func diagnosticBase(r Request, oauth []Param, p Profile) (string, error) {
	in, err := r.resolve(p)
	if err != nil {
		return "", err
	}
	m, err := newMaterial(&r, in, &Header{Params: oauth}, p)
	if err != nil {
		return "", err
	}
	how := recipeOf(p)
	return string(m.appendCandidate(nil, &how.rest, m.thirdElement(&how.params))), nil
}
