package pages

import (
	"net/url"
	"slices"
	"strings"
	"text/template"
)

// A merchantsPage is the merchants, each with the commands that send a payload of its own.
type merchantsPage struct {
	list
	Merchants []merchantView
}

type merchantView struct {
	merchant
	URL                 string
	IsHMAC              bool // the commands sign with the control key
	HasProfiles         bool // so it cannot be removed
	Curl, OpenSSL, Code string
}

func (v *pageRequest) merchants() (any, error) {
	l, records, err := listOf[merchant](v, "merchants", "")
	page := merchantsPage{list: l}
	for _, m := range records {
		w := merchantView{merchant: m, URL: v.options.URL + "/paynet/api/v4/create-recurring-payments/" + m.Endpoint}
		w.IsHMAC = !slices.Contains(m.Methods, "RSA-SHA256")
		if len(m.Methods) > 0 {
			w.OpenSSL, w.Curl, w.Code = w.snippet(opensslText), w.snippet(curlText), w.snippet(goText)
		}
		var some struct{ Profiles []profile }
		if err := v.get("profiles?limit=1&login="+url.QueryEscape(m.Login), &some); err != nil {
			return nil, err
		}
		w.HasProfiles = len(some.Profiles) > 0
		page.Merchants = append(page.Merchants, w)
	}
	return page, err
}

// register registers a merchant. A control key is never shown again, nor what was typed as a public
// key and is none.
func (v *pageRequest) register() (string, error) {
	record := v.typed("login", "endpoint", "currency", "control_key", "public_key", "response")
	v.form.Del("control_key")
	if text := strings.TrimSpace(v.form.Get("public_key")); !strings.HasPrefix(text, "-----BEGIN PUBLIC KEY-----") || strings.Contains(text, "PRIVATE") {
		v.form.Del("public_key")
	}
	return v.merchantOf(record, func(r map[string]any) error { return v.post("merchants", r, new(struct{})) })
}

func (v *pageRequest) changeMerchant() (string, error) {
	record := v.typed("endpoint", "currency", "response")
	return v.merchantOf(record, func(r map[string]any) error { return v.patch("merchants/"+url.PathEscape(v.form.Get("login")), r) })
}

// merchantOf adds what both forms have, and sends the record.
func (v *pageRequest) merchantOf(record map[string]any, send func(map[string]any) error) (string, error) {
	if err := v.numbers(record, "window_s"); err != nil {
		return "", err
	}
	record["check_replays"] = v.form.Get("check_replays") != ""
	if err := send(record); err != nil {
		return "", err
	}
	return prefix + "merchants?done=saved", nil
}

// snippet fills in a text for a merchant.
func (m *merchantView) snippet(text string) string {
	var b strings.Builder
	functions := template.FuncMap{"shell": shellWord, "encode": encode}
	if err := template.Must(template.New("").Funcs(functions).Parse(text)).Execute(&b, m); err != nil {
		return "" // not reached: the texts are constants
	}
	return b.String()
}

// shellWord quotes a text for a POSIX shell.
func shellWord(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// encode percent-encodes a text as clause 5.2 does.
func encode(text string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(text) {
		c := text[i]
		if 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || strings.IndexByte("-._~", c) >= 0 {
			b.WriteByte(c)
			continue
		}
		b.Write([]byte{'%', hex[c>>4], hex[c&15]})
	}
	return b.String()
}

// opensslText signs the file payload.csv. Base64 has three characters that are encoded: + / =. Of
// the control key every byte may be one (5.2). One final line end of its file is no part of it, and
// is taken away once it is encoded: the shell would take them all.
const opensslText = `# payload.csv is the payload, {{if .IsHMAC}}control-key the file with the merchant control key{{else}}key.pem the private key{{end}}.
payload=$(openssl base64 -A -in payload.csv | sed -e 's/+/%2B/g' -e 's,/,%2F,g' -e 's/=/%3D/g')
nonce=$(openssl rand -hex 16) timestamp=$(date +%s)
params="oauth_consumer_key={{encode .Login}}&oauth_nonce=$nonce&oauth_signature_method={{if .IsHMAC}}HMAC-SHA1{{else}}RSA-SHA256{{end}}&oauth_timestamp=$timestamp&oauth_version=1.0&payload=$payload"
encoded=$(printf %s "$params" | sed -e 's/%/%25/g' -e 's/&/%26/g' -e 's/=/%3D/g')
{{if .IsHMAC -}}
key=$(od -An -v -tx1 control-key | tr -s ' ' '\n' | LC_ALL=C awk 'BEGIN{for(i=33;i<127;i++)c[sprintf("%02x",i)]=sprintf("%c",i)} NF{s=c[$1];printf "%s",(s~/^[A-Za-z0-9._~-]$/)?s:"%" toupper($1)}' | sed -e 's/%0D%0A$//' -e t -e 's/%0A$//')
signature=$(printf %s {{shell (printf "POST&%s&" (encode .URL))}}"$encoded" | openssl dgst -sha1 -hmac "$key&" -binary | openssl base64 -A)
{{- else -}}
signature=$(printf %s {{shell (printf "POST&%s&" (encode .URL))}}"$encoded" | openssl dgst -sha256 -sign key.pem -binary | openssl base64 -A)
{{- end}}
signature=$(printf %s "$signature" | sed -e 's/+/%2B/g' -e 's,/,%2F,g' -e 's/=/%3D/g')
`

const curlText = `printf 'payload=%s' "$payload" | curl -sS -i {{shell .URL}} --data-binary @- \
  -H "Authorization: OAuth oauth_consumer_key=\"{{encode .Login}}\", oauth_nonce=\"$nonce\", oauth_signature=\"$signature\", oauth_signature_method=\"{{if .IsHMAC}}HMAC-SHA1{{else}}RSA-SHA256{{end}}\", oauth_timestamp=\"$timestamp\", oauth_version=\"1.0\""
`

const goText = `package main

import (
	"encoding/base64"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
{{- if .IsHMAC}}
	"strings"
{{- end}}

	"github.com/chargecast/chargecast/signature"
	"github.com/chargecast/chargecast/signature/oauthhttp"
)

func main() {
	payload, err := os.ReadFile("payload.csv")
	if err != nil {
		log.Fatal(err)
	}
{{- if .IsHMAC}}
	text, err := os.ReadFile("control-key")
	if err != nil {
		log.Fatal(err)
	}
	secret, ended := strings.CutSuffix(string(text), "\n") // one line end is no part of the key
	if ended {
		secret = strings.TrimSuffix(secret, "\r")
	}
	key, err := signature.NewHMACKey(secret)
{{- else}}
	text, err := os.ReadFile("key.pem")
	if err != nil {
		log.Fatal(err)
	}
	key, err := signature.ParsePrivateKey(text)
{{- end}}
	if err != nil {
		log.Fatal(err)
	}
	client := &http.Client{Transport: &oauthhttp.Transport{ConsumerKey: {{printf "%q" .Login}}, Key: key}}
	response, err := client.PostForm({{printf "%q" .URL}}, url.Values{"payload": {base64.StdEncoding.EncodeToString(payload)}})
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	fmt.Println(response.Status)
}
`
