// Server accepts signed requests with a valid payload.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/rules"
	"github.com/chargecast/chargecast/signature"
	"github.com/chargecast/chargecast/signature/oauthhttp"
)

func main() {
	address := flag.String("listen", "127.0.0.1:8080", "address")
	consumer := flag.String("consumer", "", "consumer key of the only client")
	file := flag.String("secret-file", "", "file with its secret")
	flag.Parse()
	text, err := os.ReadFile(*file)
	if err != nil {
		log.Fatal(err)
	}
	secret, err := signature.NewSecret(strings.TrimRight(string(text), "\r\n"), "")
	if err != nil {
		log.Fatal(err)
	}
	server := &http.Server{Addr: *address, Handler: handler(*consumer, secret, time.Now), ReadHeaderTimeout: 5 * time.Second}
	log.Fatal(server.ListenAndServe())
}

// handler verifies, then validates.
func handler(consumer string, key signature.VerifyingKey, now func() time.Time) http.Handler {
	return &oauthhttp.Handler{
		Next: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { accept(w, r, now()) }),
		Keys: func(_ context.Context, name string, _ signature.Method) ([]signature.VerifyingKey, error) {
			if name != consumer {
				return nil, nil // not known: refused
			}
			return []signature.VerifyingKey{key}, nil // while a key is exchanged, both
		},
		Window:  5 * time.Minute,
		Clock:   now,
		Replays: signature.NewMemoryReplays(100_000),
		Refuse: func(w http.ResponseWriter, _ *http.Request, err error) {
			log.Print("refused: ", err) // shows no secret and no value
			w.WriteHeader(http.StatusForbidden)
		},
	}
}

// accept answers as the gateway does: 200 if every row is valid, else 403, both with an empty body.
func accept(w http.ResponseWriter, r *http.Request, now time.Time) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	year, month, day := now.UTC().Date()
	today, err := calendar.Parse(fmt.Sprintf("%04d-%02d-%02d", year, month, day))
	if err != nil {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	report, err := rules.Validate(bytes.NewReader(body), rules.Options{AsOf: today, Input: rules.InputForm})
	if err != nil || !report.OK() {
		log.Print("payload: ", report.Findings.Err())
		w.WriteHeader(http.StatusForbidden)
	}
}
