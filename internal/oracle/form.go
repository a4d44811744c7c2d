package oracle

import (
	"encoding/base64"
	"net/url"
	"strings"
)

// Base64 decodes a text if it is the one text of its bytes.
func Base64(text string) ([]byte, bool) {
	raw, err := base64.StdEncoding.Strict().DecodeString(text)
	return raw, err == nil && base64.StdEncoding.EncodeToString(raw) == text
}

// A FormPair is a pair of a form body, or what is wrong with it and where.
type FormPair struct {
	Name, Value string
	Offset      int
	Fault       string // its code; empty where there is none
}

// FormPairs reads a form body byte by byte up to the first fault.
func FormPairs(body string) []FormPair {
	var list []FormPair
	for at := 0; at <= len(body); {
		end := at
		for end < len(body) && body[end] != '&' {
			end++
		}
		if end > at {
			p := FormPair{Offset: at}
			raw := body[at:end]
			name, value, _ := strings.Cut(raw, "=")
			p.Name, p.Value = unescaped(name), unescaped(value)
			if i, code := firstFault(raw); code != "" {
				p.Offset, p.Fault = at+i, code
			}
			// The name is read before what follows it.
			if _, code := firstFault(name); code == "" && name == "" {
				p.Offset, p.Fault = at, "form-name"
			}
			list = append(list, p)
			if p.Fault != "" {
				return list
			}
		}
		at = end + 1
	}
	return list
}

// firstFault is the first byte of a pair that no pair can have.
func firstFault(raw string) (int, string) {
	for i := range len(raw) {
		switch {
		case raw[i] == ';':
			return i, "form-semicolon"
		case raw[i] == '%' && (i+2 >= len(raw) || !isHexDigit(raw[i+1]) || !isHexDigit(raw[i+2])):
			return i, "form-escape"
		}
	}
	return 0, ""
}

func isHexDigit(c byte) bool { return strings.IndexByte("0123456789abcdefABCDEF", c) >= 0 }

func unescaped(raw string) string {
	text, err := url.QueryUnescape(raw)
	if err != nil {
		return ""
	}
	return text
}
