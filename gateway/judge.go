package gateway

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/chargecast/chargecast/gateway/response"
	"github.com/chargecast/chargecast/internal/httpbody"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/signature"
	"github.com/chargecast/chargecast/signature/oauthhttp"
)

// String returns "gateway".
func (*Gateway) String() string { return "gateway" }

// Format writes what String returns, under every verb: the store has where callbacks are sent, as
// merchants wrote it.
func (g *Gateway) Format(w fmt.State, _ rune) { _, _ = io.WriteString(w, g.String()) }

// ServeHTTP answers the requests of the document, and those of the admin interface, by their raw
// target. Whatever is not for the admin interface is answered with 200 or 403.
func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	target := rawTarget(r)
	if isAdmin(target) {
		g.serveAdmin(w, r, target)
		return
	}
	g.serveCreate(w, r, target)
}

// A createRequest is a create request while it is judged.
type createRequest struct {
	g        *Gateway
	r        *http.Request
	target   string
	endpoint string
	request  signature.Request // without its body until that was read
	header   signature.Header  // of Authorization; empty if it cannot be read
	method   string            // the signature method that it names
	body     string
	held     httpbody.CountedBody // what is counted of it
	merchant *Merchant            // nil until it is known
	unknown  Reason               // why the merchant may not send this; the answer once the signature was judged
	sender   bool                 // the signature is the merchant's
	record   Request
	texts    texts // of the record
	batch    batch
	created  []created    // if the answer names them
	fault    Fault        // the one that selected it; the zero Fault for none
	kept     *transaction // what was committed; nil for nothing
	release  func()       // lets those go on who wait for the callbacks of kept

	mayBeSlow bool // a fault may let its body be read slowly
}

// steps judge a request one after the other; the first one that gives a reason ends it. The
// findings of the last step are about the reason, or warnings.
var steps = [...]func(*createRequest) (Reason, error){
	(*createRequest).judgeHost,
	(*createRequest).judgePath,
	(*createRequest).judgeMethod,
	(*createRequest).judgeContentType,
	(*createRequest).judgeAuthorization,
	(*createRequest).judgeMerchant,
	(*createRequest).judgeSize,
	(*createRequest).judgeSignature,
	(*createRequest).create,
}

func (g *Gateway) serveCreate(w http.ResponseWriter, r *http.Request, target string) {
	v := &createRequest{g: g, r: r, target: target}
	defer v.held.Release()
	v.describe()
	reason := v.judge()
	g.metrics.request(reason)
	v.finish(w, reason)
}

// judge runs the steps, and makes sure that the request is recorded.
func (v *createRequest) judge() Reason {
	for _, step := range steps {
		reason, err := step(v)
		if reason == "" && err == nil {
			continue
		}
		if f, ok := errors.AsType[ledger.Findings](err); ok {
			v.note(f)
		} else if f, ok := errors.AsType[ledger.Finding](err); ok {
			v.note(ledger.Findings{f})
		}
		if reason == "" {
			reason = ReasonInternal
			v.g.config.Log.Error("a create request could not be judged", "error", err)
		}
		v.refuse(reason)
		return reason
	}
	return v.record.Reason // what the transaction of the last step decided
}

func (v *createRequest) judgeHost() (Reason, error) {
	if !v.g.isOwnHost(v.r.Host) {
		return ReasonHost, nil
	}
	return "", nil
}

func (v *createRequest) judgePath() (reason Reason, err error) {
	v.endpoint, reason = endpointOf(v.target)
	return reason, nil
}

func (v *createRequest) judgeMethod() (Reason, error) {
	if v.r.Method != http.MethodPost {
		return ReasonMethod, nil
	}
	return "", nil
}

func (v *createRequest) judgeContentType() (Reason, error) {
	values := v.r.Header.Values("Content-Type")
	if len(values) != 1 {
		return ReasonContentType, nil
	}
	media, _, _ := strings.Cut(values[0], ";")
	if !strings.EqualFold(strings.Trim(media, " \t"), formType) {
		return ReasonContentType, nil
	}
	return "", nil
}

func (v *createRequest) judgeAuthorization() (Reason, error) {
	bare := *v.r
	bare.Body, bare.ContentLength = nil, 0
	request, err := oauthhttp.FromHTTP(&bare, v.g.config.PublicURL, v.g.config.MaxBody)
	switch {
	case errors.Is(err, oauthhttp.TargetForm):
		return ReasonPath, err
	case err != nil:
		return ReasonUnreadable, err
	}
	v.request = request
	for _, p := range v.header.Params {
		switch p.Name() {
		case "oauth_consumer_key":
			v.record.Login = p.Value()
		case "oauth_signature_method":
			v.method = p.Value()
		}
	}
	if v.record.Login == "" {
		_, _, err := signature.Inspect(request, signature.Options{}) // says why
		return ReasonUnreadable, err
	}
	return "", nil
}

// judgeMerchant looks up the merchant. An unknown login must be indistinguishable from a bad
// signature: the request is read and answered as if there was a merchant.
func (v *createRequest) judgeMerchant() (Reason, error) {
	login := v.record.Login
	v.record.Login = "" // it is the name of a merchant only if there is one
	err := v.g.store.View(v.r.Context(), func(tx Tx) error {
		m, err := merchantOf(tx, login)
		if err != nil {
			return err
		}
		v.merchant = &m
		list, err := tx.Faults().List(Query{Status: statusActive})
		v.mayBeSlow = slices.ContainsFunc(list, func(f Fault) bool { return f.Kind == FaultSlow })
		return err
	})
	switch {
	case errors.Is(err, NotFound):
		v.unknown = ReasonUnknownMerchant
		return "", nil
	case err != nil:
		return "", err
	}
	v.record.Login = v.merchant.Login
	if v.merchant.Endpoint != v.endpoint {
		v.unknown = ReasonUnknownEndpoint
	}
	return "", nil
}

// judgeSize reads the body, also for an unknown login, so that what is read does not show whether
// it is known; the reason that is kept is that of the step before.
func (v *createRequest) judgeSize() (Reason, error) {
	reason, err := v.readBody()
	if reason != "" && v.unknown != "" {
		return v.unknown, nil
	}
	return reason, err
}

func (v *createRequest) readBody() (Reason, error) {
	if err := v.slow(); err != nil {
		return "", err
	}
	declared, limit, most := v.r.ContentLength, v.g.config.MaxBody, v.g.config.MaxBodies
	if declared <= limit && !v.g.bodies.Fits(declared, most) {
		if v.r.Header.Get("Expect") == "" { // else the client waits for the answer before it sends anything
			v.discard()
		}
		return ReasonTooLarge, httpbody.Full(most)
	}
	var source io.Reader // nil for no body
	if v.r.Body != nil {
		v.held = httpbody.CountedBody{Source: v.r.Body, Budget: &v.g.bodies, Most: most}
		source = &v.held
	}
	body, err := httpbody.Read(source, declared, limit)
	switch {
	case errors.Is(err, oauthhttp.BodiesLimit):
		v.held.Release()
		v.discard()
		return ReasonTooLarge, httpbody.Full(most)
	case errors.Is(err, oauthhttp.BodyLimit):
		return ReasonTooLarge, err
	case err != nil: // it broke off
		return ReasonPayload, err
	}
	v.body = body
	v.request = v.request.WithBody(v.r.Header.Get("Content-Type"), body)
	v.record.Params = v.texts.shownParams(v.body)
	return "", nil
}

func (v *createRequest) judgeSignature() (Reason, error) {
	if v.unknown != "" {
		return v.unknown, nil
	}
	o := signature.Options{Now: v.g.config.Now(), Window: time.Duration(v.merchant.WindowS) * time.Second}
	key, err := v.g.verifyingKey(v.merchant, v.method)
	if err != nil {
		return ReasonMismatch, err
	}
	verified, err := signature.Verify(v.request, o, key)
	v.sender = verified.Signature == signature.VerdictOK
	switch {
	case err == nil:
		v.note(verified.Findings)
		v.batch.use = verified.Use
		return "", nil
	case verified.Signature == signature.VerdictMismatch:
		return ReasonMismatch, verified.Findings
	case v.sender && onlyStale(verified.Findings):
		return ReasonNotFresh, verified.Findings
	}
	return ReasonUnreadable, verified.Findings
}

// onlyStale reports whether the errors are about the timestamp's distance alone.
func onlyStale(list ledger.Findings) bool {
	for _, f := range list {
		if f.Severity == ledger.SeverityError && f.Code != signature.TimestampStale {
			return false
		}
	}
	return true
}

// maxFindings is how many findings of a request are kept.
const maxFindings = 50

// note keeps findings of the request.
func (v *createRequest) note(list ledger.Findings) {
	v.record.Errors += list.Count(ledger.SeverityError)
	room := max(0, maxFindings-len(v.record.Findings))
	v.record.Findings = append(v.record.Findings, list[:min(len(list), room)]...)
}

// refuse records a refused request. Nothing depends on whether that succeeds.
func (v *createRequest) refuse(reason Reason) {
	v.record.Status, v.record.Reason = http.StatusForbidden, reason
	if v.record.Errors == 0 {
		v.note(ledger.Findings{reason.finding()})
	}
	if err := v.g.record(v.r.Context(), &v.record); err != nil {
		v.g.config.Log.Error("a refused request could not be recorded", "error", err)
	}
	v.keepRaw()
}

// answer writes the response (4.1, 7): a status and nothing else, unless the merchant chose
// response parameters (X1) and signed the request.
func (v *createRequest) answer(w http.ResponseWriter, reason Reason) {
	h := w.Header()
	h.Set("Keep-Alive", "timeout=60") // clause 8
	status, body := http.StatusOK, []byte(nil)
	if reason != "" {
		status = http.StatusForbidden
		if v.g.config.ReasonHeader {
			h.Set("X-Chargecast-Reason", string(reason))
		}
	}
	if v.sender && v.merchant.Response == ResponseParameters {
		body = v.parameters(reason)
		h.Set("Content-Type", "text/html;charset=utf-8")
		h.Set(sandboxHeader, "1") // our reading
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if len(body) > 0 && v.r.Method != http.MethodHead {
		_, _ = w.Write(body)
	}
}

// parameters returns the records of clause 2.3: one a row, or one for a request that was refused.
func (v *createRequest) parameters(reason Reason) []byte {
	var b bytes.Buffer
	write := func(r response.Record) {
		r.SerialNumber = v.record.ID.String()
		text, _ := r.AppendText(nil) // never fails
		b.Write(text)
	}
	for i := range v.created {
		p := &v.created[i]
		write(response.Record{Type: response.TypeCreate, RecurringPaymentID: p.id.String(), Status: p.status.String()})
	}
	switch reason {
	case "":
	case ReasonPayload, ReasonCurrency:
		write(response.Record{Type: response.TypeValidationError, ErrorMessage: reason.Message(), ErrorCode: "403"})
	case ReasonInternal:
		write(response.Record{Type: response.TypeError, ErrorMessage: reason.Message(), ErrorCode: "500"})
	default:
		write(response.Record{Type: response.TypeError, ErrorMessage: reason.Message(), ErrorCode: "403"})
	}
	return b.Bytes()
}

// The paths of clause 4.1 and of the admin interface.
const (
	pathPrefix      = "/paynet/api/v4/"
	createOperation = "create-recurring-payments"
	adminPrefix     = "/_sandbox/v1/"
)

// rawTarget returns the path and query of a request as they were sent: nothing is decoded and
// nothing cleaned. A client that takes the server for a proxy sends the whole URL.
func rawTarget(r *http.Request) string {
	target := r.RequestURI
	for _, scheme := range [...]string{"http://", "https://"} {
		if rest, ok := strings.CutPrefix(target, scheme+r.Host); ok && strings.HasPrefix(rest, "/") {
			return rest
		}
	}
	return target
}

// isAdmin reports whether a target belongs to the admin interface.
func isAdmin(target string) bool {
	path, _, _ := strings.Cut(target, "?")
	return path == "/healthz" || path == "/metrics" || strings.HasPrefix(path, adminPrefix)
}

// endpointOf returns the endpoint of a create request's target, or why it has none.
func endpointOf(target string) (string, Reason) {
	rest, ok := strings.CutPrefix(target, pathPrefix)
	if !ok {
		return "", ReasonPath
	}
	operation, endpoint, ok := strings.Cut(rest, "/")
	switch {
	case !ok || !isName(operation, len(rest), isOperation) || !isName(endpoint, len(rest), isUnreserved),
		endpoint == "." || endpoint == "..":
		return "", ReasonPath
	case operation != createOperation:
		return "", ReasonNotShown
	}
	return endpoint, ""
}

// isOperation reports whether c is in the names of operations.
func isOperation(c byte) bool {
	return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-' || c == '_'
}

// A body is read before its signature can be verified, so that nothing is needed to have one read:
// the sum of those in memory has a limit, whatever each client does.

// usualBodies is the limit of the sum of bodies, if none is set, and that of one body is not above
// it.
const usualBodies = 64 << 20

// discard reads and drops the rest of a body for which there is no room: most
// clients send a body whole before they read the answer, and would see the connection break
// instead.
func (v *createRequest) discard() {
	if v.r.Body != nil {
		_, _ = io.CopyN(io.Discard, v.r.Body, v.g.config.MaxBody)
	}
}
