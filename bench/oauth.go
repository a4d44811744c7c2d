package main

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/dghubble/oauth1"
)

// A catcher stands where the network would be and keeps the header of the last request.
type catcher struct{ header string }

func (c *catcher) RoundTrip(r *http.Request) (*http.Response, error) {
	c.header = r.Header.Get("Authorization")
	return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody, Request: r}, nil
}

// A fixedNonce spares the peer its random numbers.
type fixedNonce struct{}

func (fixedNonce) Nonce() string { return signingNonce }

// oauth1Header signs with dghubble/oauth1. Its one door is a transport that signs a request
// on its way, so a request is built for each header, and the parameters are read back from
// the body; the time is the clock's, and oauth_token is there, though empty.
func oauth1Header(payload string) headerMaker {
	c := &catcher{}
	ctx := context.WithValue(context.Background(), oauth1.HTTPClient, &http.Client{Transport: c})
	config := oauth1.NewConfig(signingKey, signingSecret)
	config.Noncer = fixedNonce{}
	transport := oauth1.NewClient(ctx, config, oauth1.NewToken("", "")).Transport
	body := url.Values{"payload": {payload}}.Encode()
	return func() string {
		r, err := http.NewRequest(http.MethodPost, signingURL, strings.NewReader(body))
		if err != nil {
			return ""
		}
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		if _, err := transport.RoundTrip(r); err != nil {
			return ""
		}
		return c.header
	}
}

func readyOAuth1(n int) func() contest {
	return func() contest {
		payload := signingPayload(n)
		ours := oursHeader(payload)
		theirs := oauth1Header(payload)
		differ := func() error {
			if err := sameHeader(ours, standardHeader(payload))(); err != nil {
				return err
			}
			return checkHeader(theirs(), payload)
		}
		return contest{ours: headerSide(ours), theirs: headerSide(theirs), differ: differ}
	}
}

// checkHeader makes the signature of a header once more from the parameters in it: the
// peer's time and token are not ours, so neither is its signature.
func checkHeader(header, payload string) error {
	oauth := map[string]string{}
	for pair := range strings.SplitSeq(strings.TrimPrefix(header, "OAuth "), ", ") {
		name, value, _ := strings.Cut(pair, "=")
		text := must(url.PathUnescape(strings.Trim(value, `"`)))
		oauth[name] = text
	}
	given := oauth["oauth_signature"]
	delete(oauth, "oauth_signature")
	if given == "" || given != standardSignature(standardBase(oauth, payload)) {
		return errors.New("the peer's signature is wrong")
	}
	return nil
}
