package client

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
)

// A Callback is one attempt to charge a profile that has ended. The document says that there are callbacks (6), and not what they
// contain: these parameters are those of this module's gateway.
//
// A callback has no signature: section 6 of the document is silent about one. So anybody who knows its address can send one. Let the
// address have a long random part, accept callbacks from the addresses of the gateway alone, or take a callback for a hint and ask the
// gateway what was charged before goods are handed out.
type Callback struct {
	ClientOrderID      string
	RecurringPaymentID string
	Repeat             uint64        // which charge of the profile, from 0
	Date               calendar.Date // of the attempt
	Amount             amount.Amount
	Currency           string // three letters; empty where the profile has none
	Status             string // "approved" or "declined"
}

// maxCallback is the longest form of a callback in bytes.
const maxCallback = 64 << 10

// Callbacks returns a handler that receives callbacks: a form of at most 64 KiB, sent with POST. It answers 200 if receive returns nil
// and 500 if it returns an error: then the gateway sends the callback again. A form that is not that of a callback is answered
// with 400, another method with 405.
//
// A callback can come more than once, at the same time too, and in any order: know it by ClientOrderID and Repeat. Keep what it says
// before receive returns.
func Callbacks(receive func(context.Context, Callback) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.Header().Set("Allow", http.MethodPost)
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		c, err := readCallback(w, r)
		if err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		if err := receive(r.Context(), c); err != nil {
			w.WriteHeader(http.StatusInternalServerError)
		}
	})
}

var errCallback = errors.New("client: the form is not that of a callback")

func readCallback(w http.ResponseWriter, r *http.Request) (c Callback, err error) {
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != formType {
		return c, errCallback
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxCallback))
	if err != nil {
		return c, err
	}
	form, err := url.ParseQuery(string(body))
	if err != nil {
		return c, err
	}
	for _, values := range form {
		if len(values) > 1 {
			return c, errCallback
		}
	}
	c.ClientOrderID, c.RecurringPaymentID = form.Get("client-orderid"), form.Get("recurring-payment-id")
	c.Currency, c.Status = form.Get("currency"), form.Get("status")
	if c.ClientOrderID == "" || c.Status != "approved" && c.Status != "declined" {
		return c, errCallback
	}
	var errs [3]error
	c.Repeat, errs[0] = strconv.ParseUint(form.Get("repeat"), 10, 64)
	c.Date, errs[1] = calendar.Parse(form.Get("date"))
	c.Amount, errs[2] = amount.Parse(form.Get("amount"))
	return c, errors.Join(errs[:]...)
}
