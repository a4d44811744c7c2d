package server

import (
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"
)

// logged is the value of an attribute in a log of JSON lines.
func logged(t *testing.T, log, name string) string {
	t.Helper()
	for line := range strings.Lines(log) {
		var record map[string]any
		check(t, json.Unmarshal([]byte(line), &record))
		if value, ok := record[name].(string); ok {
			return value
		}
	}
	t.Fatalf("the log has no %s:\n%s", name, log)
	return ""
}

// sendOptions sends what a file of options for curl describes, without curl.
func sendOptions(t *testing.T, file string) int {
	t.Helper()
	text, err := os.ReadFile(file)
	check(t, err)
	var target, body string
	header := http.Header{}
	for line := range strings.Lines(string(text)) {
		name, value, ok := strings.Cut(strings.TrimSpace(line), " = ")
		if !ok {
			continue
		}
		value = strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(value[1 : len(value)-1])
		switch name {
		case "url":
			target = value
		case "data":
			body = value
		case "header":
			key, value, _ := strings.Cut(value, ": ")
			header.Set(key, value)
		}
	}
	r, err := http.NewRequest("POST", target, strings.NewReader(body))
	check(t, err)
	r.Header = header
	status, _, err := send(r)
	check(t, err)
	return status
}

func port(url string) string { return url[strings.LastIndexByte(url, ':')+1:] }

// statusAt asks for the clock under a Host header.
func statusAt(t *testing.T, url, host string) int {
	t.Helper()
	r, err := http.NewRequest("GET", url+"/_sandbox/v1/clock", nil)
	check(t, err)
	r.Host = host
	status, _, err := send(r)
	check(t, err)
	return status
}
