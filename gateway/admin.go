package gateway

import (
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/ledger"
)

// A route is one operation of the admin interface. In its path, {id} stands for one segment.
type route struct {
	method, path string
	query        []string // the parameters that it takes
	handle       func(*call) error
}

// lists are the parameters of every list.
var lists = []string{"login", "limit", "cursor"}

// routes is the one table of operations; nothing writes to it. The file openapi.json describes
// them.
var routes = [...]route{
	{"GET", "/healthz", nil, (*call).health},
	{"GET", "/metrics", nil, (*call).metrics},
	{"GET", adminPrefix + "openapi.json", nil, (*call).openAPI},
	{"GET", adminPrefix + "merchants", lists, (*call).listMerchants},
	{"POST", adminPrefix + "merchants", nil, (*call).postMerchant},
	{"PATCH", adminPrefix + "merchants/{id}", nil, (*call).patchMerchant},
	{"DELETE", adminPrefix + "merchants/{id}", nil, (*call).deleteMerchant},
	{"POST", adminPrefix + "merchants/{id}/keys", nil, (*call).postKeys},
	{"GET", adminPrefix + "profiles", append([]string{"status", "q"}, lists...), (*call).listProfiles},
	{"GET", adminPrefix + "profiles/{id}", nil, (*call).getProfile},
	{"POST", adminPrefix + "profiles/{id}/stop", nil, (*call).postStop},
	{"POST", adminPrefix + "profiles/{id}/update", nil, (*call).postUpdate},
	{"POST", adminPrefix + "profiles/{id}/resume", nil, (*call).postResume},
	{"POST", adminPrefix + "profiles/{id}/charge", nil, (*call).postCharge},
	{"GET", adminPrefix + "clock", nil, (*call).getClock},
	{"POST", adminPrefix + "clock", nil, (*call).postClock},
	{"DELETE", adminPrefix + "clock", nil, (*call).deleteClock},
	{"GET", adminPrefix + "outcomes", lists, (*call).listOutcomes},
	{"POST", adminPrefix + "outcomes", nil, (*call).postOutcome},
	{"DELETE", adminPrefix + "outcomes/{id}", nil, (*call).deleteOutcome},
	{"GET", adminPrefix + "faults", lists, (*call).listFaults},
	{"POST", adminPrefix + "faults", nil, (*call).postFault},
	{"DELETE", adminPrefix + "faults/{id}", nil, (*call).deleteFault},
	{"GET", adminPrefix + "requests", append([]string{"status", "reason", "from", "until"}, lists...), (*call).listRequests},
	{"GET", adminPrefix + "requests/{id}", nil, (*call).getRequest},
	{"GET", adminPrefix + "callbacks", append([]string{"state", "profile_id"}, lists...), (*call).listCallbacks},
	{"POST", adminPrefix + "callbacks/{id}/resend", nil, (*call).postResend},
	{"GET", adminPrefix + "charges", append([]string{"profile_id", "format", "from", "until"}, lists...), (*call).listCharges},
	{"GET", adminPrefix + "totals", []string{"by", "until", "login"}, (*call).getTotals},
	{"GET", adminPrefix + "forecast", []string{"from", "until", "by", "login", "limit", "cursor"}, (*call).getForecast},
	{"GET", adminPrefix + "snapshots", lists, (*call).listSnapshots},
	{"DELETE", adminPrefix + "snapshots/{id}", nil, (*call).deleteSnapshot},
	{"POST", adminPrefix + "snapshots", nil, (*call).postSnapshot},
	{"POST", adminPrefix + "snapshots/{id}/restore", nil, (*call).postRestore},
	{"POST", adminPrefix + "reset", nil, (*call).postReset},
}

// A call is one request to the admin interface.
type call struct {
	g     *Gateway
	w     http.ResponseWriter
	r     *http.Request
	id    string // the segment {id}, decoded
	query url.Values
	body  []byte
}

// maxInput is the longest body of the admin interface, in bytes.
const maxInput = 1 << 20

func (g *Gateway) serveAdmin(w http.ResponseWriter, r *http.Request, target string) {
	c := &call{g: g, w: w, r: r}
	w.Header().Set("Cache-Control", "no-store")
	if err := c.serve(target); err != nil {
		c.problem(err)
	}
}

func (c *call) serve(target string) error {
	if !c.g.isOwnHost(c.r.Host) {
		c.recordForeign()
		return found(ForeignHost, "", "")
	}
	if http.NewCrossOriginProtection().Check(c.r) != nil {
		return found(ForeignOrigin, "", "")
	}
	if c.r.Header.Get(sandboxHeader) != "" { // or a payload could restore a snapshot
		return found(ForeignOrigin, "callbacks cannot use the admin interface", "set the callback address to a program of your own")
	}
	path, query, hasQuery := strings.Cut(target, "?")
	rt, err := c.find(path)
	if err != nil {
		return err
	}
	if err := c.readQuery(query, hasQuery, rt.query); err != nil {
		return err
	}
	if err := c.readBody(); err != nil {
		return err
	}
	return rt.handle(c)
}

// recordForeign records a request whose Host header names another server.
func (c *call) recordForeign() {
	v := &visit{g: c.g, r: c.r}
	v.describe()
	v.record.Status, v.record.Reason = http.StatusMisdirectedRequest, ReasonHost
	v.note(ledger.Findings{ReasonHost.finding()})
	if err := c.g.record(c.r.Context(), &v.record); err != nil {
		c.g.config.Log.Error("a refused request could not be recorded", "error", err)
	}
}

// find returns the route of a path as it was sent.
func (c *call) find(path string) (*route, error) {
	var methods []string
	for i := range routes {
		rt := &routes[i]
		id, ok := match(rt.path, path)
		if !ok {
			continue
		}
		if c.r.Method == rt.method || c.r.Method == http.MethodHead && rt.method == http.MethodGet {
			c.id = id
			return rt, nil
		}
		methods = append(methods, rt.method)
	}
	if len(methods) == 0 {
		return nil, found(NotFound, "no such path", "see "+adminPrefix+"openapi.json")
	}
	c.w.Header().Set("Allow", strings.Join(methods, ", "))
	return nil, found(MethodNot, "", "")
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

func (c *call) readQuery(query string, hasQuery bool, allowed []string) (err error) {
	if c.query, err = url.ParseQuery(query); err != nil {
		return found(InputForm, "the query cannot be read", "write name=value pairs joined by &, percent-encoded")
	}
	for _, name := range slices.Sorted(maps.Keys(c.query)) { // the same error each time
		values := c.query[name]
		if !slices.Contains(allowed, name) {
			return found(InputForm, "the query has an unknown parameter", "use "+strings.Join(allowed, ", "))
		}
		if len(values) > 1 {
			return inField(name, "the parameter occurs twice", "send it once")
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

// recordID returns the id in the path.
func (c *call) recordID() (ID, error) {
	var id ID
	err := id.UnmarshalText([]byte(c.id))
	return id, err
}

// page returns the query of a list, of which one more than the limit is to be read.
func (c *call) page() (q Query, err error) {
	q = Query{Login: c.query.Get("login"), Limit: 100}
	if text := c.query.Get("limit"); text != "" {
		if q.Limit, err = strconv.Atoi(text); err != nil || q.Limit < 1 || q.Limit > 1000 {
			return q, inField("limit", "the limit is not a whole number from 1 to 1000", "send how many records an answer has at most")
		}
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

// oneOf returns the value of a query parameter, which is one of a few words or empty.
func (c *call) oneOf(name string, words ...string) (string, error) {
	text := c.query.Get(name)
	if text != "" && !slices.Contains(words, text) {
		return "", inField(name, "unknown value", "use "+strings.Join(words, ", "))
	}
	return text, nil
}

// answer writes a value as JSON.
func (c *call) answer(status int, v any) error {
	text, err := marshal(v)
	if err != nil {
		return err
	}
	c.write(status, "application/json", text)
	return nil
}

func (c *call) write(status int, contentType string, text []byte) {
	h := c.w.Header()
	h.Set("Content-Type", contentType)
	h.Set("Content-Length", strconv.Itoa(len(text)))
	h.Set("X-Content-Type-Options", "nosniff")
	c.w.WriteHeader(status)
	if c.r.Method != http.MethodHead {
		_, _ = c.w.Write(text)
	}
}

// marshal is json.Marshal without escapes for HTML.
func marshal(v any) ([]byte, error) {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return []byte(b.String()), nil
}

// days returns what selects the days of the parameters from and until, each of which may be missing.
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
