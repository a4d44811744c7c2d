package diagnose

import (
	"slices"
	"strings"

	"github.com/chargecast/chargecast/signature"
	"github.com/chargecast/chargecast/signature/internal/base"
)

// encode sets the encoder of names and values, where they are encoded at all.
func (c *candidate) encode(e *encoder) {
	c.names, c.values = c.names.orElse(e), c.values.orElse(e)
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
func inText(change func(string) string) []variant {
	text := func(it *item) { it.Name, it.Value = change(it.Name), change(it.Value) }
	return variants(stepText, func(c *candidate) bool {
		c.body, c.oauth = mapped(c.body, text), mapped(c.oauth, text)
		return !c.o.isASCII()
	})
}

// isASCII reports that everything that may be signed as text is ASCII.
func (o *original) isASCII() bool {
	for _, list := range [...][]item{o.body, o.oauth, o.extras} {
		for _, it := range list {
			if !isASCII(it.Name) || !isASCII(it.Value) {
				return false
			}
			if it.Name == base.Payload {
				if csv, _ := payloadCSV.change(it.Value); !isASCII(csv) {
					return false
				}
			}
		}
	}
	return isASCII(o.realm)
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

// notDecoded are the ways to take the body in its encoded form.
func notDecoded() []variant {
	var out []variant
	for _, sent := range [...]bool{false, true} {
		for _, names := range [...]bool{false, true} {
			form := received{names, true, sent}
			out = append(out, variants(stepInput, func(c *candidate) bool { c.body = form.in(c.body); return true })...)
		}
	}
	return out
}

// readPlus reads + in the body as a plus sign.
func (c *candidate) readPlus() bool {
	found := false
	c.body = mapped(c.body, func(it *item) {
		if !strings.Contains(it.sent.Value, "+") {
			return
		}
		if value, bad := base.Decode(it.sent.Value); bad < 0 {
			it.Value, found = value, true
		}
	})
	return found
}

func verbatimURL() []variant {
	return variants(stepCollect, func(c *candidate) bool {
		u := &c.o.url
		c.scheme, c.host, c.path = u.Scheme, u.Host, u.Path
		if c.port = ""; u.HasPort {
			c.port = ":" + u.Port
		}
		return true
	})
}

// addOAuth signs one parameter more, where libraries have it: realm first, the signature in its place of the header.
func addOAuth(name string) []variant {
	return variants(stepCollect, func(c *candidate) bool {
		at, value := len(c.oauth), ""
		switch name {
		case base.Realm:
			at, value = 0, c.o.realm
		case base.Signature:
			at = min(c.o.signature, at)
		}
		named := func(it item) bool { return it.Name == name }
		if slices.ContainsFunc(c.oauth, named) || slices.ContainsFunc(c.o.extras, named) {
			return false
		}
		c.oauth = slices.Insert(slices.Clone(c.oauth), at, item{Pair: base.Pair{Name: name, Value: value}})
		return true
	})
}

// mostExtras is how many parameters of the header beyond the five are signed one by one.
const mostExtras = 8

// addExtras sign the parameters of the header beyond the five: each of them, then all.
func addExtras() []variant {
	var out []variant
	add := func(choose func(extras []item) []item) {
		out = append(out, variants(stepCollect, func(c *candidate) bool {
			list := choose(c.o.extras)
			c.oauth, c.extras = slices.Concat(c.oauth, list), extraNames(list)
			return len(list) > 0
		})...)
	}
	for i := range mostExtras {
		add(func(extras []item) []item { return extras[min(i, len(extras)):min(i+1, len(extras))] })
	}
	add(func(extras []item) []item {
		if len(extras) < 2 {
			return nil
		}
		return extras
	})
	return out
}

// inOAuth changes the value of an OAuth parameter.
func inOAuth(name string, changes ...func(string) string) []variant {
	var out []variant
	for _, change := range changes {
		out = append(out, variants(stepValue, func(c *candidate) bool {
			changed := false
			c.oauth = mapped(c.oauth, func(it *item) {
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

func inOrder(orders ...order) []variant {
	var out []variant
	for _, o := range orders {
		out = append(out, always(stepFlag, func(c *candidate) { c.order = o })...)
	}
	return out
}

// unsorted are both orders of the two groups: body first, OAuth first.
func unsorted() []variant {
	return always(stepFlag, func(c *candidate) { c.order = orderNone }, func(c *candidate) { c.order, c.oauthFirst = orderNone, true })
}

// keptPorts are a default port that was kept: of the URL's scheme, of the scheme that was signed, and as typed.
func keptPorts() []variant {
	isDefault := func(c *candidate) bool { return c.o.port == "" }
	number := func(scheme string) string {
		if base.DefaultPort(scheme) == 443 {
			return ":443"
		}
		return ":80"
	}
	return variants(stepHost,
		func(c *candidate) bool { return isDefault(c) && c.setPort(number(c.o.scheme)) },
		func(c *candidate) bool { return isDefault(c) && c.setPort(number(c.scheme)) },
		func(c *candidate) bool { return c.o.url.HasPort && c.setPort(":"+c.o.url.Port) })
}

func (c *candidate) setPort(port string) bool { c.port = port; return true }

// droppedSegments leave out the end of the path: what is behind its last slash, or the last segment that has a name,
// each without and with the slash before it.
func droppedSegments() []variant {
	var out []variant
	for _, named := range [...]bool{false, true} {
		for _, keep := range [...]int{0, 1} {
			out = append(out, variants(stepSegment, func(c *candidate) bool {
				whole := c.path
				if named {
					whole = strings.TrimSuffix(c.path, "/")
				}
				if i := strings.LastIndexByte(whole, '/'); i >= 0 {
					c.path = c.path[:i+keep]
				}
				return true
			})...)
		}
	}
	return out
}

// otherHosts are hosts that are signed by mistake: those of other URLs that the caller knows of, the machine itself, and
// names with www. or without their first label.
func otherHosts() []variant {
	host := func(choose func(o *original) (host, port string)) []variant {
		return variants(stepHost, func(c *candidate) bool {
			host, port := choose(c.o)
			if host == c.o.host && port == c.o.port {
				return false
			}
			c.host, c.port = host, port
			return true
		})
	}
	with := func(change func(host string) string) []variant {
		return host(func(o *original) (string, string) { return change(o.host), o.port })
	}
	out := slices.Concat(
		with(toIDN), with(fromIDN), with(func(string) string { return "localhost" }), with(func(string) string { return "127.0.0.1" }),
		with(func(host string) string { return strings.TrimSuffix(host, ".") }),
		with(func(host string) string { return "www." + strings.TrimPrefix(host, "www.") }),
		with(func(host string) string {
			if _, rest, ok := strings.Cut(host, "."); ok && strings.Contains(rest, ".") && strings.Trim(host, "0123456789.") != "" {
				return rest
			}
			return host
		}))
	for i := range mostOtherURLs {
		out = append(out, host(func(o *original) (string, string) {
			if i >= len(o.otherURLs) {
				return o.host, o.port
			}
			_, host, port, _ := o.otherURLs[i].Parts()
			if host == o.host {
				return o.host, o.port // another port is another mistake
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
func otherPaths() []variant {
	path := func(change func(o *original) string) []variant {
		return variants(stepSegment, func(c *candidate) bool {
			path := change(c.o)
			if path == c.o.path {
				return false
			}
			c.path = path
			return true
		})
	}
	out := slices.Concat(
		path(func(o *original) string {
			return documentPath + o.path[strings.LastIndexByte(strings.TrimSuffix(o.path, "/"), '/')+1:]
		}),
		path(func(o *original) string {
			joined := o.path
			for strings.Contains(joined, "//") {
				joined = strings.ReplaceAll(joined, "//", "/")
			}
			return joined
		}))
	for n := range mostLeading {
		out = append(out, path(func(o *original) string {
			rest := o.path
			for range n + 1 {
				next := strings.IndexByte(rest[1:], '/')
				if next < 0 {
					return o.path
				}
				rest = rest[next+1:]
			}
			return rest
		})...)
	}
	for i := range mostOtherURLs {
		out = append(out, path(func(o *original) string {
			if i >= len(o.otherURLs) {
				return o.path
			}
			_, _, _, path := o.otherURLs[i].Parts()
			return path
		})...)
	}
	return out
}
