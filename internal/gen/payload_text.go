package gen

import (
	"encoding/base64"
	"net/url"
	"strings"

	"github.com/chargecast/chargecast/gateway/response"
	"github.com/chargecast/chargecast/rules"
)

// PayloadTexts draws texts that are payloads, or nearly so.
func PayloadTexts(r Chooser) string { return r.literal(Chooser.payloadText) }

func (r Chooser) payloadText() string {
	text := string(PayloadOf(r, 3, 1).Write().Text)
	for range Pick(r, 0, 1, 1, 2, 4) {
		text = r.spoiled(text)
	}
	return text
}

// spoiled is a text with something in it, or left out of it, that does not belong.
func (r Chooser) spoiled(s string) string {
	at := r.Below(len(s) + 1)
	cut := min(at+r.In(0, 3), len(s))
	bad := Pick(r, `"`, `""`, `";"`, ";", "\n", "\r\n", "\r", "\n\n", "\x00", "\xff", "\xef\xbb\xbf", ",", "\t", `\"`, " ", "#\n", "\x1a", "\u202e", "'", "=", "\n;\n", `"x"`)
	switch r.Weigh(40, 20, 20, 5, 5, 5, 5) {
	case 0:
		return s[:at] + bad + s[at:]
	case 1:
		return s[:at] + s[cut:]
	case 2:
		return s[:at] + bad + s[cut:]
	case 3:
		return s[:at]
	case 4:
		return s[at:]
	case 5:
		return strings.ReplaceAll(s, Pick(r, ";", `"`, "\n", "SRC", "a"), bad)
	}
	return s + s[at:]
}

// RoughPayloads draws payloads whose free text holds whatever text can hold: line
// ends of both kinds, quotes, separators, spaces around it. It warns at most.
func RoughPayloads(r Chooser) PayloadCase {
	c := PayloadOf(r, 3, 0)
	for i := range c.Rows {
		row := &c.Rows[i].Clean
		for _, column := range [...]rules.Column{rules.ColumnOrderID, rules.ColumnCardPrintedName, rules.ColumnCity, rules.ColumnAddress1, rules.ColumnFirstName, rules.ColumnLastName, rules.ColumnOrderDesc, rules.ColumnPurpose} {
			if row[column] != "" && r.Chance(60) {
				row[column] = "x" + r.rough() + "x" + r.rough()
			}
		}
	}
	return c
}

func (r Chooser) rough() string {
	var b strings.Builder
	for range r.Times(0, 5) {
		b.WriteString(Pick(r, `"`, `""`, ";", "\r\n", "\n", "\r", "\r\r\n", "\t", " ", "\u00a0", "\ufeff", "\x7f", "\x1b[2J", "\u2028", "é", "\U0001f4a9", "\ufffd", "a", `";"`, "\n\"", "sep=;", "'"))
	}
	return b.String()
}

// PayloadBytes draws texts that begin as a payload does and go on with any bytes:
// forms of a payload are known by their beginnings, and what no payload is, is refused.
func PayloadBytes(r Chooser) string { return r.literal(Chooser.payloadBytes) }

// PayloadStart is how a payload begins.
const PayloadStart = `"rp_card_type";`

func (r Chooser) payloadBytes() string {
	var b strings.Builder
	b.WriteString(PayloadStart)
	for range r.Times(0, 12) {
		b.WriteString(Pick(r, "a", "é", "\x00", "\xff", "\xfb\xef\xbe", "\r\n", "?>", "~~", `";"`, "payload=", string([]byte{byte(r.Below(256))})))
	}
	return b.String()
}

// Base64Texts draws texts that are base64, or nearly so.
func Base64Texts(r Chooser) string { return r.literal(Chooser.base64Text) }

func (r Chooser) base64Text() string {
	if r.Chance(30) {
		var b strings.Builder
		for range r.Times(1, 9) {
			b.WriteByte(Pick(r, []byte("ABCDQRYZabghwxyz0189+/==\n\r -_%")...))
		}
		return b.String()
	}
	text := base64.StdEncoding.EncodeToString([]byte(r.payloadBytes()))
	for range Pick(r, 0, 1, 1, 2) {
		at := r.Below(len(text) + 1)
		bad := Pick(r, "\n", "\r\n", "\r", " ", "=", "==", "A", "-", "_", "%3D", "\x00", "*", "é")
		switch cut := min(at+1, len(text)); r.Below(5) {
		case 0:
			text = text[:at] + bad + text[at:]
		case 1:
			text = text[:at] + text[cut:]
		case 2:
			text = text[:at] + bad + text[cut:]
		case 3:
			text += bad
		default:
			text = text[:len(text)-min(len(text), r.In(1, 2))]
		}
	}
	return text
}

// FormBodies draws bodies with a payload, beside it, in two of them, or broken.
func FormBodies(r Chooser) string { return r.literal(Chooser.formBody) }

func (r Chooser) formBody() string {
	pair := func() string {
		coded := base64.StdEncoding.EncodeToString([]byte(r.payloadBytes()))
		return Pick(r, "payload="+url.QueryEscape(coded), "payload="+url.QueryEscape(coded), "payload="+coded, "p%61yload="+url.QueryEscape(coded),
			"a=1", "a", "debug=%zz", "a=1;b=2", "=v", "", "oauth_nonce=x%20y", "oauth_x=a+b", "a=%", "a=%4", "payload=", "payload", "PAYLOAD=x", "a=b=c", "oauth_signature=x", "%zz=1", "x=\n")
	}
	parts := []string{pair()}
	for range r.Times(0, 3) {
		parts = append(parts, pair())
	}
	return strings.Join(parts, "&")
}

// WireTexts draws texts in any wire form, right and wrong.
func WireTexts(r Chooser) string {
	return r.literal(func(r Chooser) string {
		switch r.Below(3) {
		case 0:
			return r.base64Text()
		case 1:
			return r.formBody()
		}
		return r.spoiled(r.formBody())
	})
}

// SentTexts draws payloads in any wire form, and what is nearly one.
func SentTexts(r Chooser) string {
	return r.literal(func(r Chooser) string {
		text := r.payloadText()
		if r.Chance(20) { // the first 4 KiB are read at once, to tell the form
			header, rest, _ := strings.Cut(text, "\n")
			text = header + "\n\"" + strings.Repeat("x", 4200) + "\"\n" + rest
		}
		switch r.Weigh(60, 20, 20) {
		case 1:
			text = base64.StdEncoding.EncodeToString([]byte(text))
		case 2:
			text = "payload=" + url.QueryEscape(base64.StdEncoding.EncodeToString([]byte(text)))
		}
		if r.Chance(30) {
			return r.spoiled(text)
		}
		return text
	})
}

// Responses draws response records of all types with any texts.
func Responses(r Chooser) ResponseCase {
	c := ResponseCase{Pick: r.Uint64()}
	c.Record = response.Record{Outcome: response.OutcomeAccepted, Type: response.TypeCreate}
	if r.Chance(50) {
		c.Outcome, c.Type = response.OutcomeRejected, Pick(r, response.TypeValidationError, response.TypeError)
		c.ErrorMessage, c.ErrorCode = r.responseText(), r.responseText()
	}
	c.RecurringPaymentID, c.Status, c.SerialNumber = r.responseText(), r.responseText(), r.responseText()
	for range Pick(r, 0, 0, 1, 2) {
		c.Extra = append(c.Extra, response.Parameter{Name: "x" + r.responseText(), Value: r.responseText()})
	}
	return c
}

func (r Chooser) responseText() string {
	var b strings.Builder
	for range r.Times(0, 4) {
		b.WriteString(Pick(r, "a", "12", "\n", "\n\n", "&", "=", "%", "%0A", "+", " ", "é", "\xff", "\x00", ";", "type", "\r", "b=c"))
	}
	return b.String()
}

// A ResponseCase is a response that is right in itself.
type ResponseCase struct {
	response.Record
	// Pick chooses how the record is written.
	Pick uint64
}
