package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"os/exec"
	"slices"
	"testing"

	"github.com/chargecast/chargecast/fuzz/vectortest"
	"github.com/chargecast/chargecast/internal/signtest"
	"github.com/chargecast/chargecast/signature"
)

// askHost sends requests to the engine of the page in node, and returns the replies.
func askHost(t *testing.T, requests []any) []json.RawMessage {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("no node here: web/host.mjs is not judged by the vectors")
	}
	page, err := thePage()
	if err != nil {
		t.Fatal(err)
	}
	var in bytes.Buffer
	for _, r := range requests {
		if err := json.NewEncoder(&in).Encode(r); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.Command("node", "host.mjs", page)
	c.Stdin = &in
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	var replies []json.RawMessage
	for line := range bytes.Lines(out) {
		replies = append(replies, line)
	}
	if len(replies) != len(requests) {
		t.Fatalf("%d replies to %d requests", len(replies), len(requests))
	}
	return replies
}

func read[T any](t *testing.T, text []byte) (v T) {
	t.Helper()
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatalf("%v in %.300s", err, text)
	}
	return v
}

// TestVectors: the engine of the page gives what every vector of forecasts and simulations wants.
func TestVectors(t *testing.T) {
	lives := vectortest.Simulations(t, "forecast-public")
	var requests []any
	for _, l := range lives {
		op := "forecast"
		if l.Script != nil {
			op = "simulate"
		}
		columns := map[string]string{"client-orderid": "order-1"}
		maps.Copy(columns, l.Columns)
		requests = append(requests, map[string]any{"op": op, "columns": columns, "as_of": l.AsOf, "until": l.Until, "policy": l.Policy, "state": l.State, "script": l.Script})
	}
	for i, reply := range askHost(t, requests) {
		t.Run(lives[i].ID, func(t *testing.T) {
			var got vectortest.Outcome
			r := read[struct {
				Error            json.RawMessage
				Charges, Records []json.RawMessage
				End              json.RawMessage
			}](t, reply)
			got.Drawn, got.Rejected = lives[i].Script != nil, r.Error != nil
			list := append(r.Charges, r.Records...)
			if r.End != nil {
				list = append(list, r.End)
			}
			for _, line := range list {
				switch read[struct{ Type string }](t, line).Type {
				case "charge":
					got.Charges = append(got.Charges, read[vectortest.Charge](t, line))
				case "event":
					got.Events = append(got.Events, read[vectortest.Event](t, line))
				case "end":
					got.End = read[vectortest.End](t, line)
				}
			}
			lives[i].Same(t, got)
		})
	}
}

// TestSigningVectors: check finds the cause that every vector of a wrong signature has.
func TestSigningVectors(t *testing.T) {
	type wanted struct {
		Match  bool
		Causes [][]string
	}
	var ids []string
	var wants []wanted
	var requests []any
	for _, v := range slices.Concat(vectortest.Family(t, "signing-public"), vectortest.Family(t, "diagnose")) {
		if v.Op != "diagnose" {
			continue
		}
		in := vectortest.Input[signtest.Input](t, v)
		header := signtest.Header(append(in.OAuthParams, signtest.Param{"oauth_signature", in.Signature}))
		body := string(signature.NewRequest("", "").WithParams(signtest.Params(in.BodyParams)...).Body())
		if in.Body != nil {
			body = *in.Body
		}
		q := map[string]any{"op": "check", "only": "signature", "request": map[string]any{
			"b64": []byte(in.Method + " " + in.URL + " HTTP/1.1\r\nContent-Type: " + in.ContentType + "\r\nAuthorization: " + header.String() + "\r\n\r\n" + body),
		}}
		if in.PublicKey != "" {
			q["public_key"] = in.PublicKey
		} else {
			q["secret"] = in.ConsumerSecret
		}
		ids, wants, requests = append(ids, v.ID), append(wants, vectortest.Expect[wanted](t, v)), append(requests, q)
	}
	for i, reply := range askHost(t, requests) {
		r := read[struct {
			Error   json.RawMessage
			Records []struct {
				OK        bool
				Signature string
				Causes    []struct{ IDs []string }
			}
		}](t, reply)
		if len(r.Records) != 1 {
			t.Errorf("%s: %s", ids[i], r.Error)
			continue
		}
		causes := [][]string{}
		for _, c := range r.Records[0].Causes {
			causes = append(causes, c.IDs)
		}
		slices.SortFunc(causes, slices.Compare)
		if got := r.Records[0]; got.OK != wants[i].Match || !slices.EqualFunc(causes, wants[i].Causes, slices.Equal) {
			t.Errorf("%s: %s, causes %v; want %v %v", ids[i], got.Signature, causes, wants[i].Match, wants[i].Causes)
		}
	}
	if len(ids) < 100 {
		t.Errorf("%d vectors, want all", len(ids))
	}
}
