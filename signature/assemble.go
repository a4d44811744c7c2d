package signature

import (
	"strconv"
	"strings"
)

// appendCandidate appends the base string of a recipe; third is its third element.
func (m *material) appendCandidate(dst []byte, r *restRecipe, third []byte) []byte {
	start := len(dst)
	dst = r.encoder.append(dst, m.methodOf(r))
	dst = append(dst, '&')
	m.uri = m.appendURI(m.uri[:0], r)
	if r.rawURL {
		dst = append(dst, m.uri...)
	} else {
		dst = appendWith(r.encoder, dst, m.uri)
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

// uriOf returns the second element before its encoding.
func (m *material) uriOf(r *restRecipe) string { return string(m.appendURI(nil, r)) }

// appendURI appends the second element, part by part.
func (m *material) appendURI(out []byte, r *restRecipe) []byte {
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
	return out
}

func (m *material) appendOrigin(out []byte, r *restRecipe) []byte {
	u := &m.url
	typed := r.hostTyped || r.verbatim
	secure := u.secure() != r.otherScheme
	switch {
	case r.otherScheme && secure:
		out = append(out, "https"...)
	case r.otherScheme:
		out = append(out, "http"...)
	case typed:
		out = append(out, u.scheme...)
	default:
		out = appendLower(out, u.scheme)
	}
	out = append(out, "://"...)
	if r.verbatim && u.hasUserinfo {
		out = append(append(out, u.userinfo...), '@')
	}
	if typed {
		out = append(out, u.host...)
	} else {
		out = appendLower(out, u.host)
	}
	return m.appendPort(out, r, secure)
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

// pathOf returns the path as a recipe signs it. Mistakes work on the normalised path, which is / for
// an empty one (L58); the last segment is dropped both with and without a final slash
// counting as one.
func (m *material) pathOf(r *restRecipe) string {
	path := m.url.path
	if r.verbatim {
		if r.slash == slashAdded {
			return path + "/"
		}
		return path
	}
	if path == "" {
		path = "/"
	}
	if r.slash == slashEmptyKept && path == "/" {
		return ""
	}
	path = r.segment.drop(path)
	if r.pathDecoded {
		if decoded, err := decode(path, partURL, 0); err == nil {
			path = decoded
		}
	}
	if r.slash == slashAdded {
		path += "/"
	}
	return path
}

func (f segmentForm) drop(path string) string {
	whole := path
	if f == segmentNamedDropped || f == segmentNamedDroppedAfterSlash {
		whole = strings.TrimSuffix(path, "/")
	}
	i := strings.LastIndexByte(whole, '/')
	switch {
	case f == segmentRight || i < 0:
		return path
	case f == segmentDropped || f == segmentNamedDropped:
		return path[:i]
	}
	return path[:i+1]
}
