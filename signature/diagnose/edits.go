package diagnose

import (
	"slices"
	"strings"

	"github.com/chargecast/chargecast/signature"
	"github.com/chargecast/chargecast/signature/internal/base"
)

func raw() *base.Encoder { return &base.Encoder{Raw: true} }

func orElse(e, other *base.Encoder) *base.Encoder {
	if e != nil {
		return e
	}
	return other
}

// encode sets the encoder of names and values, where they are encoded at all.
func (s *stages) encode(e *base.Encoder) {
	s.names, s.values = orElse(s.names, e), orElse(s.values, e)
}

// mapped changes a copy of a list.
func mapped(list []item, change func(*item)) []item {
	list = slices.Clone(list)
	for i := range list {
		change(&list[i])
	}
	return list
}

// inText changes how text became bytes. Text that is ASCII is the same in all ways, unless a CSV is signed that is not.
func inText(change func(string) string) []edit {
	text := func(it *item) { it.Name, it.Value = change(it.Name), change(it.Value) }
	return variants(stepText, func(s *stages) bool {
		s.body, s.oauth, s.query = mapped(s.body, text), mapped(s.oauth, text), mapped(s.query, text)
		return !s.m.isASCII()
	})
}

// isASCII reports that everything that may be signed as text is ASCII.
func (m *material) isASCII() bool {
	for _, list := range [...][]item{m.body, m.nonForm, m.oauth, m.query} {
		for _, it := range list {
			if !plainASCII(it.Name) || !plainASCII(it.Value) {
				return false
			}
			if it.Name == base.Payload {
				if csv, _ := payloadCSV.change(it.Value); !plainASCII(csv) {
					return false
				}
			}
		}
	}
	return plainASCII(m.realm)
}

// A received is how a list was signed as it was received: which of its names and values, and whether they are the texts
// that were sent or the decoded ones encoded anew.
type received struct{ names, values, sent bool }

func (r received) in(list []item) []item {
	return mapped(list, func(it *item) {
		encoded := base.Pair{Name: signature.Encode(it.Name), Value: signature.Encode(it.Value)}
		if r.sent {
			encoded = it.sent
		}
		if r.names {
			it.Name = encoded.Name
		}
		if r.values {
			it.Value = encoded.Value
		}
	})
}

// notDecoded are the ways to take body or query in their encoded form.
func notDecoded() []edit {
	var out []edit
	for _, sent := range [...]bool{false, true} {
		for _, names := range [...]bool{false, true} {
			form := received{names, true, sent}
			for _, where := range [...]struct{ body, query bool }{{true, true}, {true, false}, {false, true}} {
				out = append(out, variants(stepInput, func(s *stages) bool {
					if where.body {
						s.body = form.in(s.body)
					}
					if where.query {
						s.query = form.in(s.query)
					}
					return true
				})...)
			}
		}
	}
	return out
}

// readPlus reads + in the body as a plus sign.
func (s *stages) readPlus() bool {
	found := false
	s.body = mapped(s.body, func(it *item) {
		if !strings.Contains(it.sent.Value, "+") {
			return
		}
		if value, bad := base.Decode(it.sent.Value); bad < 0 {
			it.Value, found = value, true
		}
	})
	return found
}

func inQuery(signed, inURL bool) []edit {
	return variants(stepFlag, func(s *stages) bool { // of the third element, and of the URL
		if !s.m.url.HasQuery {
			return false
		}
		if !signed {
			s.query = nil
		} else if s.query == nil { // of a URL that was signed as typed
			s.query = s.m.query
		}
		if s.tail = ""; inURL {
			s.tail = "?" + s.m.url.Query
		}
		return true
	})
}

func verbatimURL() []edit {
	return variants(stepCollect, func(s *stages) bool {
		u := &s.m.url
		s.query = nil
		s.scheme, s.host, s.path = u.Scheme, u.Host, u.Path
		if u.HasUserinfo {
			s.user = u.Userinfo + "@"
		}
		if s.port = ""; u.HasPort {
			s.port = ":" + u.Port
		}
		if u.HasQuery {
			s.tail = "?" + u.Query
		}
		if u.HasFragment {
			s.tail += "#" + u.Fragment
		}
		return true
	})
}

// oneOfEqual reduces parameters of one name, in the order in which they were collected.
func oneOfEqual(next func(kept *item, it item)) []edit {
	return flags(stepFlag, func(s *stages) {
		s.one = func(list []item) []item {
			place := map[string]int{}
			var out []item
			for _, it := range list {
				if i, seen := place[it.Name]; seen {
					next(&out[i], it)
					continue
				}
				place[it.Name] = len(out)
				out = append(out, it)
			}
			return out
		}
	})
}

func keepFirst(*item, item)        {}
func keepLast(kept *item, it item) { *kept = it }
func joinAll(kept *item, it item)  { kept.Value += "," + it.Value }

// addOAuth signs one parameter more, where libraries have it: realm first, the signature in its place of the header.
func addOAuth(name string) []edit {
	return variants(stepCollect, func(s *stages) bool {
		at, value := len(s.oauth), ""
		switch name {
		case base.Realm:
			at, value = 0, s.m.realm
		case base.Signature:
			at = min(s.m.signature, at)
		}
		if slices.ContainsFunc(s.oauth, func(it item) bool { return it.Name == name }) {
			return false
		}
		s.oauth = slices.Insert(slices.Clone(s.oauth), at, item{Pair: base.Pair{Name: name, Value: value}, from: base.OAuth})
		return true
	})
}

// inOAuth changes the value of an OAuth parameter.
func inOAuth(name string, changes ...func(string) string) []edit {
	var out []edit
	for _, change := range changes {
		out = append(out, variants(stepValue, func(s *stages) bool {
			changed := false
			s.oauth = mapped(s.oauth, func(it *item) {
				if it.Name == name {
					value := change(it.Value)
					changed = changed || value != it.Value
					it.Value = value
				}
			})
			return changed
		})...)
	}
	return out
}

func wrapped(before, after string) func(string) string {
	return func(value string) string { return before + value + after }
}

func inOrder(orders ...order) []edit {
	var out []edit
	for _, o := range orders {
		out = append(out, flags(stepFlag, func(s *stages) { s.order = o })...)
	}
	return out
}

// unsorted are the orders of the groups. Without a query there are two: body first, OAuth first.
func unsorted() []edit {
	var out []edit
	for i, groups := range groupOrders() {
		out = append(out, variants(stepFlag, func(s *stages) bool {
			s.order, s.groups = orderNone, groups
			return len(s.m.query) > 0 || i == 0 || i == 2
		})...)
	}
	return out
}

// keptPorts are a default port that was kept: of the URL's scheme, of the scheme that was signed, and as typed.
func keptPorts() []edit {
	isDefault := func(s *stages) bool { return s.m.port == "" }
	number := func(scheme string) string {
		if base.DefaultPort(scheme) == 443 {
			return ":443"
		}
		return ":80"
	}
	return variants(stepHost,
		func(s *stages) bool { return isDefault(s) && s.setPort(number(s.m.scheme)) },
		func(s *stages) bool { return isDefault(s) && s.setPort(number(s.scheme)) },
		func(s *stages) bool { return s.m.url.HasPort && s.setPort(":"+s.m.url.Port) })
}

func (s *stages) setPort(port string) bool { s.port = port; return true }

// droppedSegments leave out the end of the path: what is behind its last slash, or the last segment that has a name,
// each without and with the slash before it.
func droppedSegments() []edit {
	var out []edit
	for _, named := range [...]bool{false, true} {
		for _, keep := range [...]int{0, 1} {
			out = append(out, variants(stepSegment, func(s *stages) bool {
				whole := s.path
				if named {
					whole = strings.TrimSuffix(s.path, "/")
				}
				if i := strings.LastIndexByte(whole, '/'); i >= 0 {
					s.path = s.path[:i+keep]
				}
				return true
			})...)
		}
	}
	return out
}

// otherHosts are hosts that are signed by mistake: those of other URLs that the caller knows of, the machine itself, and
// names with www. or without their first label.
func otherHosts() []edit {
	host := func(choose func(m *material) (host, port string)) []edit {
		return variants(stepHost, func(s *stages) bool {
			host, port := choose(s.m)
			if host == s.m.host && port == s.m.port {
				return false
			}
			s.host, s.port = host, port
			return true
		})
	}
	with := func(change func(host string) string) []edit {
		return host(func(m *material) (string, string) { return change(m.host), m.port })
	}
	out := slices.Concat(
		with(func(string) string { return "localhost" }), with(func(string) string { return "127.0.0.1" }),
		with(func(host string) string { return strings.TrimSuffix(host, ".") }),
		with(func(host string) string { return "www." + strings.TrimPrefix(host, "www.") }),
		with(func(host string) string {
			if _, rest, ok := strings.Cut(host, "."); ok && strings.Contains(rest, ".") && strings.Trim(host, "0123456789.") != "" {
				return rest
			}
			return host
		}))
	for i := range mostOtherURLs {
		out = append(out, host(func(m *material) (string, string) {
			if i >= len(m.otherURLs) {
				return m.host, m.port
			}
			_, host, port, _ := m.otherURLs[i].Parts()
			if host == m.host {
				return m.host, m.port // another port is another mistake
			}
			return host, port
		})...)
	}
	return out
}

// documentPath is the path that the document shows, without the endpoint id (4.1).
const documentPath = "/paynet/api/v4/create-recurring-payments/"

// mostLeading is how many segments at the beginning of a path may be left out or doubled.
const mostLeading = 4

// otherPaths are paths that are signed by mistake: those of other URLs that the caller knows of, the document's, the path
// without its first segments, as a proxy passes it on, and with slashes joined.
func otherPaths() []edit {
	path := func(change func(m *material) string) []edit {
		return variants(stepSegment, func(s *stages) bool {
			path := change(s.m)
			if path == s.m.path {
				return false
			}
			s.path = path
			return true
		})
	}
	out := slices.Concat(
		path(func(m *material) string {
			return documentPath + m.path[strings.LastIndexByte(strings.TrimSuffix(m.path, "/"), '/')+1:]
		}),
		path(func(m *material) string {
			joined := m.path
			for strings.Contains(joined, "//") {
				joined = strings.ReplaceAll(joined, "//", "/")
			}
			return joined
		}))
	for n := range mostLeading {
		out = append(out, path(func(m *material) string {
			rest := m.path
			for range n + 1 {
				next := strings.IndexByte(rest[1:], '/')
				if next < 0 {
					return m.path
				}
				rest = rest[next+1:]
			}
			return rest
		})...)
	}
	for i := range mostOtherURLs {
		out = append(out, path(func(m *material) string {
			if i >= len(m.otherURLs) {
				return m.path
			}
			_, _, _, path := m.otherURLs[i].Parts()
			return path
		})...)
	}
	return out
}

func inKey(keys ...keyForm) []edit {
	var out []edit
	for _, k := range keys {
		out = append(out, flags(stepRest, func(s *stages) { s.key = k })...)
	}
	return out
}
