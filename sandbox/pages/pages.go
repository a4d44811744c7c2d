package pages

import (
	"crypto/rand"
	"crypto/subtle"
	"embed"
	"errors"
	"html/template"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/internal/cardtext"
	"github.com/chargecast/chargecast/sandbox/admin"
)

// prefix is where the pages are, apart from the first one, which is also at the root.
const prefix = "/_sandbox/"

// policy lets a page load its style sheet and an empty icon, and post forms to its own server.
const policy = "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

//go:embed templates
var files embed.FS

//go:embed style.css
var style []byte

// Options are what the pages show beside what the gateway knows.
type Options struct {
	// URL is where clients reach the gateway, or what they sign if that is another URL; without a
	// final slash.
	URL string
	// Demo is the command that sends the demo payload; empty for none.
	Demo string
}

// New returns a handler that serves the pages at the root and below /_sandbox/, where what is no
// page is answered with 404 or 405, and leaves every other request to the gateway, those to the
// admin interface included.
func New(gateway http.Handler, o Options) http.Handler {
	s := &site{gateway: gateway, options: o, token: rand.Text(), templates: map[string]*template.Template{}}
	layout := template.Must(template.ParseFS(files, "templates/layout.html"))
	for _, p := range places() {
		if p.template != "" {
			s.add(layout, p.template)
		}
	}
	s.add(layout, "failed")
	return s
}

// A site is the pages of one gateway.
type site struct {
	gateway   http.Handler
	options   Options
	token     string // what the forms of this process are posted with
	templates map[string]*template.Template
}

func (s *site) add(layout *template.Template, name string) {
	if s.templates[name] == nil {
		s.templates[name] = template.Must(template.Must(layout.Clone()).ParseFS(files, "templates/"+name+".html"))
	}
}

// A place is a page or an action. In its path, {id} is any id.
type place struct {
	method, path string
	template     string // of a page
	show         func(*pageRequest) (any, error)
	// do is an action, which returns the page to go to. If it is refused, the page with the form is
	// shown again, which keeps what was typed: that of its place, or else the one that the form names.
	do func(*pageRequest) (string, error)
}

// places is the one table of pages and actions.
func places() []place {
	outcomes, faults, snapshots := listing[outcome]("outcomes", ""), listing[fault]("faults", ""), listing[snapshot]("snapshots", "")
	return []place{
		{method: "GET", path: "/", template: "start", show: (*pageRequest).start},
		{method: "GET", path: prefix, template: "start", show: (*pageRequest).start},
		{method: "GET", path: prefix + "profiles", template: "profiles", show: listing[profile]("profiles", "status", "active", "stopped")},
		{method: "GET", path: prefix + "profiles/{id}", template: "profile", show: (*pageRequest).profile},
		{method: "GET", path: prefix + "requests", template: "requests", show: listing[request]("requests", "status", "200", "403", "421")},
		{method: "GET", path: prefix + "requests/{id}", template: "request", show: (*pageRequest).request},
		{method: "GET", path: prefix + "callbacks", template: "callbacks", show: (*pageRequest).callbacks},
		{method: "GET", path: prefix + "merchants", template: "merchants", show: (*pageRequest).merchants},
		{method: "GET", path: prefix + "day", template: "day", show: (*pageRequest).day},
		{method: "GET", path: prefix + "timeline", template: "timeline", show: (*pageRequest).timeline},
		{method: "GET", path: prefix + "outcomes", template: "outcomes", show: outcomes},
		{method: "GET", path: prefix + "faults", template: "faults", show: faults},
		{method: "GET", path: prefix + "snapshots", template: "snapshots", show: snapshots},
		{method: "GET", path: prefix + "style.css"},

		{method: "POST", path: prefix + "clock", do: (*pageRequest).moveClock},
		{method: "POST", path: prefix + "profiles/{id}/stop", do: (*pageRequest).stop},
		{method: "POST", path: prefix + "profiles/{id}/charge", do: (*pageRequest).charge},
		{method: "POST", path: prefix + "profiles/{id}/resume", do: (*pageRequest).resume},
		{method: "POST", path: prefix + "profiles/{id}/update", do: (*pageRequest).update, template: "profile", show: (*pageRequest).profile},
		{method: "POST", path: prefix + "callbacks/{id}/resend", do: (*pageRequest).resend},
		{method: "POST", path: prefix + "outcomes", do: (*pageRequest).addOutcome, template: "outcomes", show: outcomes},
		{method: "POST", path: prefix + "outcomes/{id}/remove", do: removing("outcomes")},
		{method: "POST", path: prefix + "faults", do: (*pageRequest).addFault, template: "faults", show: faults},
		{method: "POST", path: prefix + "faults/{id}/remove", do: removing("faults")},
		{method: "POST", path: prefix + "snapshots", do: (*pageRequest).takeSnapshot, template: "snapshots", show: snapshots},
		{method: "POST", path: prefix + "snapshots/{id}/restore", do: (*pageRequest).restore},
		{method: "POST", path: prefix + "snapshots/{id}/remove", do: removing("snapshots")},
		{method: "POST", path: prefix + "reset", do: (*pageRequest).reset, template: "snapshots", show: snapshots},
		{method: "POST", path: prefix + "merchants", do: (*pageRequest).register, template: "merchants", show: (*pageRequest).merchants},
		{method: "POST", path: prefix + "merchants/change", do: (*pageRequest).changeMerchant, template: "merchants", show: (*pageRequest).merchants},
		{method: "POST", path: prefix + "merchants/remove", do: removing("merchants"), template: "merchants", show: (*pageRequest).merchants},
	}
}

// find returns the place of a path, and the id in it: digits alone.
func find(method, path string) (*place, string) {
	if method == http.MethodHead {
		method = http.MethodGet
	}
	all := places()
	for i := range all {
		p := &all[i]
		if p.method != method {
			continue
		}
		before, after, has := strings.Cut(p.path, "{id}")
		if !has && p.path == path {
			return p, ""
		}
		rest, ok := strings.CutPrefix(path, before)
		id, cut := strings.CutSuffix(rest, after)
		if has && ok && cut && id != "" && strings.Trim(id, "0123456789") == "" {
			return p, id
		}
	}
	return nil, ""
}

// ServeHTTP dispatches on the raw target, as the gateway does: nothing is cleaned or decoded.
func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path, query, _ := strings.Cut(r.RequestURI, "?")
	isOurs := (path+"/" == prefix || strings.HasPrefix(path, prefix)) && !strings.HasPrefix(path, admin.Prefix)
	p, id := find(r.Method, path)
	switch {
	case p == nil && isOurs:
		p = &place{show: (*pageRequest).nothing}
	case p == nil:
		s.gateway.ServeHTTP(w, r)
		return
	}
	protect(w.Header())
	v := &pageRequest{site: s, r: r, w: w, id: id, path: path, place: p}
	v.serve(query)
}

// protect sets the headers of every page.
func protect(h http.Header) {
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
}

// styleSheet answers with the style sheet of all pages.
func (v *pageRequest) styleSheet() {
	v.w.Header().Set("Content-Type", "text/css; charset=utf-8")
	v.w.Header().Set("Content-Length", strconv.Itoa(len(style)))
	if v.r.Method != http.MethodHead {
		_, _ = v.w.Write(style)
	}
}

// A pageRequest is one request for a page or an action.
type pageRequest struct {
	*site
	r     *http.Request
	w     http.ResponseWriter
	id    string
	path  string
	place *place
	query url.Values
	form  url.Values
	now   string // the day of the clock
}

func (v *pageRequest) serve(query string) {
	err := v.begin(query)
	switch {
	case err != nil:
	case v.place.do != nil:
		err = v.act()
	case v.place.show != nil:
		var content any
		if content, err = v.place.show(v); err == nil {
			err = v.write(http.StatusOK, v.place.template, content, nil)
		}
	default:
		v.styleSheet()
	}
	if err != nil {
		v.fail(err)
	}
}

// begin reads the query and the day of the clock. A Host header that names another server fails
// here: the gateway refuses to say the day, and records the request.
func (v *pageRequest) begin(query string) (err error) {
	var clock struct{ Now string }
	if err := v.get("clock", &clock); err != nil {
		return err
	}
	v.now = clock.Now
	if v.query, err = url.ParseQuery(query); err != nil {
		return &problem{Status: http.StatusBadRequest, Title: "the query cannot be read", Detail: "follow the links of the pages"}
	}
	return nil
}

// maxForm is the longest form in bytes.
const maxForm = 64 << 10

// act does what a form asks for, and goes to a page.
func (v *pageRequest) act() error {
	v.r.Body = http.MaxBytesReader(v.w, v.r.Body, maxForm)
	if err := v.r.ParseForm(); err != nil {
		return &problem{Status: http.StatusBadRequest, Title: "the form cannot be read", Detail: "send it again from its page"}
	}
	v.form = v.r.PostForm
	if subtle.ConstantTimeCompare([]byte(v.form.Get("token")), []byte(v.token)) != 1 {
		return &problem{
			Status: http.StatusForbidden, Title: "the form is not one of this process, so nothing was done",
			Detail: "go back, reload the page, and send the form again",
		}
	}
	to, err := v.place.do(v)
	if err != nil {
		return err
	}
	v.w.Header().Set("Location", to)
	v.w.WriteHeader(http.StatusSeeOther)
	return nil
}

// A frame is what every page has around its content.
type frame struct {
	Title   string
	Here    string // the section of the navigation
	Path    string
	Token   string
	Clock   clockBar
	Done    string     // what the action before did
	Problem *problem   // why the form was refused; nil for none
	Form    url.Values // what was typed then
	action  string     // of that form
	Content any
}

// Typed is the value that a field of a form shows: what was typed if the form was refused, else the
// value of today. Of a box that is ticked, the value is "on".
func (f *frame) Typed(action, name, today string) string {
	if f.Problem == nil || f.action != prefix+action {
		return today
	}
	return f.Form.Get(name)
}

// Of reports whether the form that was refused is that of an action on one login.
func (f *frame) Of(action, login string) bool {
	return f.Problem != nil && f.action == prefix+action && f.Form.Get("login") == login
}

func (v *pageRequest) write(status int, name string, content any, refused *problem) error {
	var b strings.Builder
	f := &frame{Here: name, Path: v.path, Token: v.token, Clock: clockBarOf(v.now), Problem: refused, Content: content}
	if refused != nil {
		f.Form, f.action = v.form, v.place.path
	}
	if v.query != nil {
		f.Done = doneText(v.query)
	}
	if err := v.templates[name].ExecuteTemplate(&b, "layout", f); err != nil {
		return err
	}
	h := v.w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(b.Len()))
	v.w.WriteHeader(status)
	if v.r.Method != http.MethodHead {
		_, _ = v.w.Write([]byte(b.String()))
	}
	return nil
}

// nothing is what is shown of a path without a page.
func (v *pageRequest) nothing() (any, error) {
	for _, method := range [...]string{http.MethodGet, http.MethodPost} {
		if p, _ := find(method, v.path); p != nil {
			v.w.Header().Set("Allow", method)
			return nil, &problem{Status: http.StatusMethodNotAllowed, Title: "the path is used with " + method + " only", Detail: "follow the links of the pages, and send forms from them"}
		}
	}
	return nil, &problem{Status: http.StatusNotFound, Title: "there is no page with this path", Detail: "follow the links of the pages"}
}

// A failed page says what is wrong and what to do.
type failed struct {
	*problem
	Back string // the page that the form was on; empty for none
}

// fail shows an error as a page. To a foreign Host it shows nothing.
func (v *pageRequest) fail(err error) {
	p, ok := errors.AsType[*problem](err)
	if !ok {
		p = &problem{Status: http.StatusInternalServerError, Title: "the page cannot be made", Detail: "see the log"}
	}
	if p.Status == http.StatusMisdirectedRequest {
		v.w.Header().Set("Content-Length", "0")
		v.w.WriteHeader(p.Status)
		return
	}
	for name, values := range v.form {
		for i := range values {
			v.form[name][i] = cardtext.MaskEscaped(values[i])
		}
	}
	if page, id := v.formPage(); page != nil {
		v.query, v.path, v.id = url.Values{}, v.back(), id
		if content, err := page.show(v); err == nil && v.write(p.Status, page.template, content, p) == nil {
			return
		}
	}
	f := failed{problem: p}
	if v.place.do != nil {
		f.Back = v.back()
	}
	if v.write(p.Status, "failed", f, nil) != nil {
		v.w.WriteHeader(http.StatusInternalServerError) // not reached: the template takes any text
	}
}

// formPage returns the page of a form that was read, and what its {id} stands for; nil if none was.
func (v *pageRequest) formPage() (*place, string) {
	switch {
	case v.place.do == nil || v.form == nil:
		return nil, ""
	case v.place.show != nil:
		return v.place, v.id
	}
	return find(http.MethodGet, v.back())
}

// back returns the page that a form was on.
func (v *pageRequest) back() string {
	path := v.form.Get("back")
	if p, _ := find(http.MethodGet, path); p != nil && p.show != nil {
		return path
	}
	return "/"
}
