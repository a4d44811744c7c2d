package gateway

import (
	"cmp"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/jsonline"
	"github.com/chargecast/chargecast/internal/strictjson"
	"github.com/chargecast/chargecast/ledger"
)

// The records of the admin interface are described once, by the tags of their fields: api has the
// name of the member and, as package strictjson has them, null, omitzero, count and out; a record
// is refused without a member that is needed. doc, words, pattern, limits and default are for the
// description. A field without api is known to stores alone, which keep all fields by their own
// names.

// formOf returns how a record is read and written.
func formOf[T any]() *strictjson.Form[T] {
	f := strictjson.FormBy[T]("api")
	f.Code, f.Values = string(InputForm), maxValues
	return f
}

// A call is one request to the admin interface.
type call struct {
	g      *Gateway
	w      http.ResponseWriter
	r      *http.Request
	route  *route
	id     string // the segment {id}, decoded: the login of a merchant
	record ID     // … or else the id of a record
	query  url.Values
	body   []byte
}

// An answer is what a call is answered with, as JSON unless it says otherwise. The zero answer has
// no content.
type answer struct {
	status      int    // 0: that of the route
	contentType string // empty for JSON
	text        []byte
	more        func() ([]byte, error) // what follows the text, piece by piece, until one is empty; nil for nothing
}

// answerWith returns a record as an answer, unless it could not be made.
func answerWith[T any](f *strictjson.Form[T], v T, err error) (answer, error) {
	if err != nil {
		return answer{}, err
	}
	return answer{text: append(f.Append(nil, &v), '\n')}, nil
}

// readInput reads the body of a request over what is set already. Every error has the code
// [InputForm].
func readInput[T any](c *call, f *strictjson.Form[T], v T) (T, error) {
	err := jsonline.Read(f, c.body, &v)
	if f, ok := errors.AsType[ledger.Finding](err); ok {
		f.Code, f.Place = InputForm, ledger.Place{}
		return v, f
	}
	return v, err
}

// maxValues is how many values a body may have, so that its size bounds what is made of it.
const maxValues = 10_000

// maxInput is the longest body of the admin interface, in bytes.
const maxInput = 1 << 20

func (g *Gateway) serveAdmin(w http.ResponseWriter, r *http.Request, target string) {
	c := &call{g: g, w: w, r: r}
	w.Header().Set("Cache-Control", "no-store")
	a, err := c.serve(target)
	if err != nil {
		a = c.problem(err)
	} else {
		a.status = cmp.Or(a.status, c.route.status)
	}
	c.write(a)
}

func (c *call) serve(target string) (a answer, err error) {
	if !c.g.isOwnHost(c.r.Host) {
		c.recordForeign()
		return a, found(ForeignHost, "", "")
	}
	if http.NewCrossOriginProtection().Check(c.r) != nil {
		return a, found(ForeignOrigin, "", "")
	}
	if c.r.Header.Get(sandboxHeader) != "" { // or a payload could restore a snapshot
		return a, found(ForeignOrigin, "callbacks cannot use the admin interface", "set the callback address to a program of your own")
	}
	path, query, _ := strings.Cut(target, "?")
	if err := c.find(path); err != nil {
		return a, err
	}
	if err := c.readQuery(query); err != nil {
		return a, err
	}
	if err := c.readBody(); err != nil {
		return a, err
	}
	return c.route.handle(c)
}

// recordForeign records a request whose Host header names another server.
func (c *call) recordForeign() {
	v := &createRequest{g: c.g, r: c.r}
	v.describe()
	v.record.Status, v.record.Reason = http.StatusMisdirectedRequest, ReasonHost
	v.note(ledger.Findings{ReasonHost.finding()})
	if err := c.g.record(c.r.Context(), &v.record); err != nil {
		c.g.config.Log.Error("a refused request could not be recorded", "error", err)
	}
}

// find finds the route of a path as it was sent.
func (c *call) find(path string) error {
	var methods []string
	for i := range routes {
		rt := &routes[i]
		id, ok := match(rt.path, path)
		if !ok {
			continue
		}
		if c.r.Method == rt.method || c.r.Method == http.MethodHead && rt.method == http.MethodGet {
			c.id, c.route = id, rt
			if id == "" || rt.isOfMerchant() {
				return nil
			}
			return c.record.UnmarshalText([]byte(id))
		}
		methods = append(methods, rt.method)
	}
	if len(methods) == 0 {
		return found(NotFound, "no such path", "see "+adminPrefix+"openapi.json")
	}
	c.w.Header().Set("Allow", strings.Join(methods, ", "))
	return found(MethodNot, "", "")
}

// match compares a path with that of a route, and returns the segment at {id}.
func match(pattern, path string) (id string, ok bool) {
	before, after, has := strings.Cut(pattern, "{id}")
	if !has {
		return "", pattern == path
	}
	rest, ok := strings.CutPrefix(path, before)
	if !ok {
		return "", false
	}
	segment, ok := strings.CutSuffix(rest, after)
	if !ok || segment == "" || strings.Contains(segment, "/") {
		return "", false
	}
	id, err := url.PathUnescape(segment)
	return id, err == nil
}

func (c *call) readQuery(query string) (err error) {
	if c.query, err = url.ParseQuery(query); err != nil {
		return found(InputForm, "the query cannot be read", "write name=value pairs joined by &, percent-encoded")
	}
	for _, name := range slices.Sorted(maps.Keys(c.query)) { // the same error each time
		at := slices.IndexFunc(c.route.query, func(p parameter) bool { return p.name == name })
		if at < 0 {
			return found(InputForm, "the query has an unknown parameter", "use "+strings.Join(namesOf(c.route.query), ", "))
		}
		if len(c.query[name]) > 1 {
			return inField(name, "the parameter occurs twice", "send it once")
		}
		if words, text := c.route.query[at].words, c.query.Get(name); text != "" && len(words) > 0 && !slices.Contains(words, text) {
			return inField(name, "unknown value", "use "+strings.Join(words, ", "))
		}
	}
	return nil
}

func (c *call) readBody() error {
	body, err := io.ReadAll(http.MaxBytesReader(c.w, c.r.Body, maxInput))
	if _, tooLong := errors.AsType[*http.MaxBytesError](err); tooLong {
		return found(InputTooLarge, "", "")
	}
	if err != nil {
		return found(InputForm, "the body was not received whole", "send it again")
	}
	if c.body = body; len(body) == 0 {
		c.body = []byte("{}")
	}
	return nil
}

// page returns the query of a list, of which one more than the limit is to be read.
func (c *call) page() (q Query, err error) {
	q.Login = c.query.Get("login")
	if q.Limit, err = c.limit(100); err != nil {
		return q, err
	}
	for _, p := range [...]struct {
		name string
		to   *ID
	}{{"cursor", &q.Past}, {"profile_id", &q.Profile}} {
		if text := c.query.Get(p.name); text != "" && p.to.UnmarshalText([]byte(text)) != nil {
			return q, inField(p.name, "the value is not an id", "send the one of an earlier answer")
		}
	}
	q.Limit++
	return q, nil
}

// limit returns how many records an answer has at most.
func (c *call) limit(usual int) (int, error) {
	text := c.query.Get("limit")
	if text == "" {
		return usual, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > maxPage {
		return 0, inField("limit", "the limit is not a whole number from 1 to 1000", "send how many records an answer has at most")
	}
	return n, nil
}

func (c *call) write(a answer) {
	h := c.w.Header()
	if a.status != http.StatusNoContent {
		h.Set("Content-Type", cmp.Or(a.contentType, "application/json"))
		h.Set("X-Content-Type-Options", "nosniff")
		if a.more == nil {
			h.Set("Content-Length", strconv.Itoa(len(a.text)))
		}
	}
	c.w.WriteHeader(a.status)
	if c.r.Method == http.MethodHead {
		return
	}
	_, err := c.w.Write(a.text)
	for a.more != nil && err == nil {
		if a.text, err = a.more(); err != nil {
			if c.r.Context().Err() == nil {
				c.g.config.Log.Error("an answer of the admin interface broke off", "error", err)
			}
			panic(http.ErrAbortHandler) // or the client would take it for whole
		}
		if len(a.text) == 0 {
			return
		}
		_, err = c.w.Write(a.text)
	}
}

// days returns what selects the days of the parameters from and until, each of which may be
// missing.
func (c *call) days() (isWithin func(calendar.Date) bool, err error) {
	from, err := c.date("from")
	if err != nil {
		return nil, err
	}
	until, err := c.date("until")
	return func(d calendar.Date) bool { return !d.Before(from) && (until.IsZero() || !d.After(until)) }, err
}

// date returns the value of a query parameter as a date; zero for none.
func (c *call) date(name string) (calendar.Date, error) {
	text := c.query.Get(name)
	if text == "" {
		return calendar.Date{}, nil
	}
	d, err := calendar.Parse(text)
	if err != nil {
		return d, inField(name, "the value is not a date", "send YYYY-MM-DD")
	}
	return d, nil
}

// A problem is an error of the admin interface as RFC 9457 writes it.
type problem struct {
	Type     string          `api:"type"`
	Title    string          `api:"title"`
	Status   int             `api:"status"`
	Detail   string          `api:"detail,omitzero" doc:"What to do"`
	Code     string          `api:"code" doc:"Stable"`
	Field    string          `api:"field,omitzero"`
	Because  []becauseView   `api:"because,omitzero"`
	Findings ledger.Findings `api:"findings,omitzero"`
}

var problemForm = formOf[problem]()

// problem returns the answer to an error. What package store or engine failed with stays in the
// log.
func (c *call) problem(err error) answer {
	f := found(StoreFailed, "", "")
	f.Help = ""
	p := problem{Type: "about:blank"}
	switch list := (ledger.Findings)(nil); {
	case errors.As(err, &list) && len(list) > 0:
		f = found(InputForm, list[0].Message, list[0].Help)
		f.Subject = list[0].Subject
		p.Findings = list
	case errors.As(err, &f):
	case c.r.Context().Err() != nil: // the client went away
	default:
		c.g.config.Log.Error("a request to the admin interface failed", "error", err)
	}
	p.Code, p.Title, p.Detail, p.Field = string(f.Code), f.Message, f.Help, f.Subject
	p.Status = cmp.Or(statuses[f.Code], http.StatusBadRequest)
	if f.Code == EventRefused {
		p.Detail = cmp.Or(p.Detail, "see because for the clauses behind it")
		p.Because = reasons(f.Because, c.g.config.Policy)
	}
	if r, ok := errors.AsType[*Refused](err); ok {
		p.Because = reasons(r.Refusal.Because, c.g.config.Policy)
		p.Code = cmp.Or(string(r.Refusal.Code), p.Code)
		p.Field = r.Refusal.Field
	}
	return answer{status: p.Status, contentType: "application/problem+json", text: append(problemForm.Append(nil, &p), '\n')}
}
