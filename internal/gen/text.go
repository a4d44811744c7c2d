package gen

import (
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"slices"
	"strings"
	"time"
)

// An Instant is a moment in some place: seconds since 1970 and the place's offset.
type Instant struct {
	Seconds int64
	Offset  int // seconds east of Greenwich
}

// Time is the instant as package time has it.
func (i Instant) Time() time.Time {
	return time.Unix(i.Seconds, 0).In(time.FixedZone("", i.Offset))
}

// Instants draws moments close to midnight, anywhere from year −1 to 10001.
func Instants(r Chooser) Instant {
	at := Instant{int64(DayNumber(r.Date())-719_163) * 86_400, Pick(r, 0, 0, 3600, -7200, 19_800, 50_400, -43_200, r.Around(-86_399, 86_399))}
	at.Seconds += int64(Pick(r, 0, -1, 1, r.In(0, 86_399))) - int64(Pick(r, 0, at.Offset))
	return at
}

// DateTexts draws texts that are dates in the dotted form, or nearly so.
func DateTexts(r Chooser) string { return r.literal(Chooser.dateText) }

// AmountTexts draws texts that are amounts, or nearly so.
func AmountTexts(r Chooser) string { return r.literal(Chooser.amountText) }

// literal draws a text. Its choices are the bytes of the text, each plus one with the digits first, and a zero for the
// end, so that shrinking leaves out bytes and makes them plain, and a fuzzer writes what it likes.
func (r Chooser) literal(draw func(Chooser) string) string {
	const first = '0'
	if len(r.made) < len(r.given) || r.zeros {
		var text []byte
		for len(r.made) < len(r.given) {
			x := r.below(257)
			if x == 0 {
				return string(text)
			}
			text = append(text, byte(x-1+first))
		}
		r.made = append(r.made, 0)
		return string(text)
	}
	text := draw(ChooserOf(r.rest.Uint64()))
	for i := range len(text) {
		r.made = append(r.made, uint64(text[i]-first)+1)
	}
	r.made = append(r.made, 0)
	return text
}

func (r Chooser) dateText() string {
	var b strings.Builder
	digits := func(n, width int) {
		for i := width - 1; i >= 0; i-- {
			place := 1
			for range i {
				place *= 10
			}
			b.WriteByte(byte('0' + n/place%10))
		}
	}
	digits(r.In(0, 33), 2)
	b.WriteByte('.')
	digits(r.In(0, 13), 2)
	b.WriteByte('.')
	digits(Pick(r, 0, 1, 1900, 2000, 2024, 2026, 2100, 9999, r.In(0, 9999)), 4)
	return r.damaged(b.String())
}

func (r Chooser) amountText() string {
	var b strings.Builder
	for range Pick(r, 1, 2, 3, 8, r.In(1, 25)) {
		b.WriteByte(byte('0' + r.Below(10)))
	}
	if r.Chance(70) {
		b.WriteByte('.')
		for range Pick(r, 1, 2, 2, 2, 3, r.In(0, 20)) {
			b.WriteByte(byte('0' + r.Below(10)))
		}
	}
	if r.Chance(2) {
		return strings.Repeat("0", r.In(0, 80)) + b.String()
	}
	return r.damaged(b.String())
}

// damaged is a text with, half of the time, something in it that does not belong.
func (r Chooser) damaged(s string) string {
	for r.Chance(40) {
		at := r.Below(len(s) + 1)
		bad := Pick(r, "", " ", "+", "-", "e", "E1", "_", ",", "..", "\n", "\x00", "٣", "１", "−", "0x", ".", "/", ":", "T00:00", "0")
		switch cut := min(at+r.Below(3), len(s)); r.Below(3) {
		case 0:
			s = s[:at] + bad + s[at:]
		case 1:
			s = s[:at] + s[cut:]
		default:
			s = s[:at] + bad + s[cut:]
		}
	}
	return s
}

// A Canary is a text that must not show, in front of and behind other text.
type Canary struct{ Before, Secret, After string }

// Canaries draws card numbers of the ranges kept for tests and other secrets, inside
// texts that a reader might accept otherwise.
func Canaries(r Chooser) Canary {
	c := Canary{Secret: Pick(r, "4111111111111111", "5500005555555559", "340000000000009", "987-65-4320", "S3cretControlKey", "-----BEGIN RSA PRIVATE KEY-----")}
	c.Before = Pick(r, "", "", "1.00,", "31.01.", "2026-01-", "{\"profile\":\"", "{\"repeat\":", "{\"date\":\"", "{\"do\":\"", "month-end=", "1.", "{\"")
	c.After = Pick(r, "", "", "\"}", "}", ".50", ",", "\":1}", "=clamp", "\x00")
	return c
}

// FormsOf are the ways in which a secret could show: raw, reversed, in hex, percent-encoded
// and in base64 at three alignments.
func FormsOf(secret string) []string {
	reversed := []byte(secret)
	slices.Reverse(reversed)
	forms := []string{secret, string(reversed), hex.EncodeToString([]byte(secret)), url.QueryEscape(secret)}
	for shift := range 3 {
		text := base64.StdEncoding.EncodeToString(append(make([]byte, shift), secret...))
		forms = append(forms, text[4*((shift+2)/3):len(text)-4])
	}
	return forms
}
