// Merchant sells a subscription and books what the gateway charges.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/gateway/client"
	"github.com/chargecast/chargecast/rules"
	"github.com/chargecast/chargecast/signature"
)

// A shop sells and books. A real one keeps its books in a database, under a unique key.
type shop struct {
	sender *client.Client
	today  func() calendar.Date

	mu     sync.Mutex
	booked map[slot]client.Callback
}

// A slot names one charge: a callback comes at least once, so it is not enough to count them.
type slot struct {
	order  string
	repeat uint64
}

func newShop(m client.Merchant, today func() calendar.Date) *shop {
	return &shop{sender: client.New(m), today: today, booked: map[slot]client.Callback{}}
}

var errUnclear = errors.New("the gateway did not answer: the first callback or a look at its profiles will tell whether the order exists")

// sell creates the profile of an order. It never sends a request again whose answer was lost: that
// could create the profile twice.
func (s *shop) sell(ctx context.Context, order rules.Values) error {
	var payload bytes.Buffer
	w := rules.NewWriter(&payload, rules.Options{AsOf: s.today()})
	if err := w.Write(order); err != nil {
		return err
	}
	_, err := s.sender.Create(ctx, &payload)
	if errors.Is(err, client.ErrUnknown) {
		return errors.Join(errUnclear, err)
	}
	return err
}

// book keeps a charge, once, in whatever order the callbacks come.
func (s *shop) book(_ context.Context, c client.Callback) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := slot{c.ClientOrderID, c.Repeat}
	if _, again := s.booked[key]; !again {
		s.booked[key] = c
		log.Printf("%s: charge %d of %s, %s %s, %s", c.ClientOrderID, c.Repeat, c.Date, c.Amount, c.Currency, c.Status)
	}
	return nil
}

// callbacks receives what the gateway charges.
func (s *shop) callbacks() http.Handler { return client.Callbacks(s.book) }

func main() {
	url := flag.String("url", "", "the `URL` of create requests, with the endpoint")
	login := flag.String("login", "", "the merchant `login`")
	keyFile := flag.String("key", "", "the `file` with the control key")
	order := flag.String("order", "", "the client-orderid of the order; empty: only listen")
	listen := flag.String("listen", "127.0.0.1:8090", "the `address` at which callbacks are received")
	flag.Parse()
	if err := run(*url, *login, *keyFile, *order, *listen); err != nil {
		log.Fatal(err)
	}
}

func run(url, login, keyFile, order, listen string) error {
	text, err := os.ReadFile(keyFile)
	if err != nil {
		return err
	}
	key, err := signature.NewHMACKey(strings.TrimSpace(string(text)))
	if err != nil {
		return err
	}
	s := newShop(client.Merchant{URL: url, Login: login, Key: key}, func() calendar.Date { return calendar.Of(time.Now()) })
	l, err := net.Listen("tcp", listen) // before the order is sent: its first callback may come at once
	if err != nil {
		return err
	}
	served := make(chan error, 1)
	go func() { served <- http.Serve(l, s.callbacks()) }()
	if order != "" {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := s.sell(ctx, subscription(order, "http://"+listen)); err != nil {
			return err
		}
		fmt.Println(order, "is created")
	}
	return <-served
}

// subscription is a monthly order over 9.90, paid with the card number that is reserved for tests.
func subscription(order, callback string) rules.Values {
	return rules.Values{
		rules.ColumnCardType: "SRC", rules.ColumnOrderID: order, rules.ColumnAmount: "9.90", rules.ColumnCurrency: "EUR",
		rules.ColumnPeriod: "month", rules.ColumnInterval: "1", rules.ColumnServerCallbackURL: callback,
		rules.ColumnCardNumber: "4111111111111111", rules.ColumnCVV2: "123", rules.ColumnCardPrintedName: "ANNA MUSTER",
		rules.ColumnExpireYear: "2099", rules.ColumnExpireMonth: "12", rules.ColumnFirstName: "Anna", rules.ColumnLastName: "Muster",
		rules.ColumnCountry: "DE", rules.ColumnCity: "Berlin", rules.ColumnZipCode: "10115", rules.ColumnAddress1: "Street 1",
		rules.ColumnEmail: "anna@example.com",
	}
}
