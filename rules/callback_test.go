package rules

import (
	"strings"
	"testing"
)

// TestShownURL: an address keeps its host, path and the names of its query, whatever it looks like.
func TestShownURL(t *testing.T) {
	for url, want := range map[string]string{
		"":                                    "",
		"https://merchant.example/cb":         "https://merchant.example/cb",
		"https://merchant.example:8443/a/b/?": "https://merchant.example:8443/a/b/",
		"https://user:secret@merchant.example/cb":              "https://merchant.example/cb",
		"https://user:sec@ret@merchant.example":                "https://merchant.example",
		"https://m.example/cb?token=secret&id=secret":          "https://m.example/cb?token=***&id=***",
		"https://m.example/cb?token=secret;id=sec=ret&x=":      "https://m.example/cb?token=***&id=***&x=***",
		"https://m.example/cb?secret":                          "https://m.example/cb?***",
		"https://m.example/cb#secret":                          "https://m.example/cb#***",
		"https://m.example/cb#secret?a=secret":                 "https://m.example/cb#***",
		"https://m.example/cb?a=secret#secret":                 "https://m.example/cb?a=***#***",
		"https://u:secret@m.example/cb?next=https://u:secret@": "https://m.example/cb?next=***",
		"https://u:secret/more@m.example/cb":                   "https://***",
		"https://u:secret\\more@m.example/cb":                  "https://***",
		"u:secret@m.example/cb":                                "m.example/cb",
		"secret@x://m.example":                                 "***",
		"//u:secret@m.example/cb":                              "***",
	} {
		if got := shownURL(url); got != want || strings.Contains(got, "secret") {
			t.Errorf("%s: %s, want %s", url, got, want)
		}
	}
}
