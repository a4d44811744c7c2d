package diagnose

import (
	"slices"
	"strings"

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

// inText changes how text became bytes. Text that is ASCII is the same in all ways, unless a CSV is
// signed that is not.
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

// notDecoded are the ways to take the body in its encoded form: its values alone or its names too,
// as the texts that were sent or the decoded ones encoded anew.
func notDecoded() []variant {
	type form struct{ sent, names bool }
	return variantOf(stepInput, []form{{}, {names: true}, {sent: true}, {sent: true, names: true}}, func(c *candidate, f form) bool {
		c.body = mapped(c.body, func(it *item) {
			as := it.sent
			if !f.sent {
				as = encoded(it.Pair)
			}
			if it.Value = as.Value; f.names {
				it.Name = as.Name
			}
		})
		return true
	})
}

// readPlus reads + and a space that was not encoded in the body as a plus sign.
func (c *candidate) readPlus() bool {
	found := false
	c.body = mapped(c.body, func(it *item) {
		if !strings.ContainsAny(it.sent.Value, "+ ") {
			return
		}
		if value, bad := base.Decode(strings.ReplaceAll(it.sent.Value, " ", "+")); bad < 0 {
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

// addOAuth signs one parameter more, where libraries have it: realm first, the signature in its
// place of the header.
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
	var choices []func(extras []item) []item
	for i := range mostExtras {
		choices = append(choices, func(extras []item) []item { return extras[min(i, len(extras)):min(i+1, len(extras))] })
	}
	choices = append(choices, func(extras []item) []item {
		if len(extras) < 2 {
			return nil
		}
		return extras
	})
	return variantOf(stepCollect, choices, func(c *candidate, choose func([]item) []item) bool {
		list := choose(c.o.extras)
		c.oauth, c.extras = slices.Concat(c.oauth, list), extraNames(list)
		return len(list) > 0
	})
}

// inOAuth changes the value of an OAuth parameter.
func inOAuth(name string, changes ...func(string) string) []variant {
	return variantOf(stepValue, changes, func(c *candidate, change func(string) string) bool {
		changed := false
		c.oauth = mapped(c.oauth, func(it *item) {
			if it.Name == name {
				value := change(it.Value)
				changed = changed || value != it.Value
				it.Value = value
			}
		})
		return changed
	})
}

func wrapped(before, after string) func(string) string {
	return func(value string) string { return before + value + after }
}

func inOrder(orders ...order) []variant {
	return variantOf(stepFlag, orders, func(c *candidate, o order) bool { c.order = o; return true })
}

// unsorted are both orders of the two groups: body first, OAuth first.
func unsorted() []variant {
	return always(stepFlag, func(c *candidate) { c.order = orderNone }, func(c *candidate) { c.order, c.oauthFirst = orderNone, true })
}

// keptPorts are a default port that was kept: of the URL's scheme, of the scheme that was signed,
// and as typed.
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

// droppedSegments leave out the end of the path: what is behind its last slash, or the last segment
// that has a name, each without and with the slash before it.
func droppedSegments() []variant {
	type end struct {
		slash string // what is passed over at the end of the path
		keep  int    // bytes of the slash before the segment
	}
	return variantOf(stepSegment, []end{{"", 0}, {"", 1}, {"/", 0}, {"/", 1}}, func(c *candidate, e end) bool {
		if i := strings.LastIndexByte(strings.TrimSuffix(c.path, e.slash), '/'); i >= 0 {
			c.path = c.path[:i+e.keep]
		}
		return true
	})
}

// otherHosts are hosts that are signed by mistake: those of other URLs that the caller knows of,
// the machine itself, and names with www. or without their first label.
func otherHosts() []variant {
	hosts := []func(host string) string{
		toIDN, fromIDN, func(string) string { return "localhost" }, func(string) string { return "127.0.0.1" },
		func(host string) string { return strings.TrimSuffix(host, ".") },
		func(host string) string { return "www." + strings.TrimPrefix(host, "www.") },
		func(host string) string {
			if _, rest, ok := strings.Cut(host, "."); ok && strings.Contains(rest, ".") && strings.Trim(host, "0123456789.") != "" {
				return rest
			}
			return host
		},
	}
	out := variantOf(stepHost, hosts, func(c *candidate, change func(string) string) bool {
		c.host, c.port = change(c.o.host), c.o.port
		return c.host != c.o.host
	})
	for i := range mostOtherURLs {
		out = append(out, variants(stepHost, func(c *candidate) bool {
			if i < len(c.o.otherURLs) {
				_, c.host, c.port, _ = c.o.otherURLs[i].Parts()
			}
			return c.host != c.o.host // another port alone is another mistake
		})...)
	}
	return out
}

// documentPath is the path that the document shows, without the endpoint id (4.1).
const documentPath = "/paynet/api/v4/create-recurring-payments/"

// mostLeading is how many segments at the beginning of a path may be left out or doubled.
const mostLeading = 4

// otherPaths are paths that are signed by mistake: those of other URLs that the caller knows of,
// the document's, the path without its first segments, as a proxy passes it on, and with slashes
// joined.
func otherPaths() []variant {
	paths := []func(o *original) string{
		func(o *original) string {
			return documentPath + o.path[strings.LastIndexByte(strings.TrimSuffix(o.path, "/"), '/')+1:]
		},
		func(o *original) string {
			joined := o.path
			for strings.Contains(joined, "//") {
				joined = strings.ReplaceAll(joined, "//", "/")
			}
			return joined
		},
	}
	for n := range mostLeading {
		paths = append(paths, func(o *original) string {
			rest := o.path
			for range n + 1 {
				next := strings.IndexByte(rest[1:], '/')
				if next < 0 {
					return o.path
				}
				rest = rest[next+1:]
			}
			return rest
		})
	}
	for i := range mostOtherURLs {
		paths = append(paths, func(o *original) string {
			if i >= len(o.otherURLs) {
				return o.path
			}
			_, _, _, path := o.otherURLs[i].Parts()
			return path
		})
	}
	return variantOf(stepSegment, paths, func(c *candidate, change func(*original) string) bool {
		c.path = change(c.o)
		return c.path != c.o.path
	})
}
