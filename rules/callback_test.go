package rules

import (
	"net/url"
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
		"u:secret@m.example/cb":                                "***", // without a scheme all of it may be a token
		"secret":                                               "***",
		"https://@m.example/cb":                                "https://m.example/cb",
		"https://m.example/?&":                                 "https://m.example/",
		"https://m.example/?#":                                 "https://m.example/",
		"https://u:123?secret@m.example/cb":                    "https://***?***",
		"https://secret?x@m.example/cb":                        "https://***?***",
		"https://secret#x@m.example/cb":                        "https://***#***",
		"secret@x://m.example":                                 "***",
		"//u:secret@m.example/cb":                              "***",
		"https://u:secret?more@m.example/cb":                   "https://***?***", // sent to a host u
		"https://u:secret#more@m.example/cb":                   "https://***#***",
		"https://[::1]:8080/cb":                                "https://[::1]:8080/cb",
		"https://[::1]:secret/cb":                              "https://***",
		"u:secret":                                             "***",
	} {
		if got := shownURL(url); got != want || strings.Contains(got, "secret") {
			t.Errorf("%s: %s, want %s", url, got, want)
		}
	}
}

// TestMaskedCallbacks: an address shows no card number, however often it is escaped, and masking it
// twice is the same as once.
func TestMaskedCallbacks(t *testing.T) {
	number := "4000 0566-5566 5556"
	for times := range 12 {
		for _, address := range []string{"https://m.example/" + number + "/cb", "https://m.example/cb?" + number + "=1", "https://" + number, "https://m.example/?a=" + number + "#" + number} {
			for _, c := range []Column{ColumnNotifyURL, ColumnServerCallbackURL} {
				got := Mask(c, address)
				if plain, err := url.PathUnescape(got); strings.Contains(got, "5566") || err == nil && strings.Contains(plain, "5566") {
					t.Errorf("escaped %d times: %s", times, got)
				}
				if again := Mask(c, got); again != got {
					t.Errorf("masked twice, %s is %s", got, again)
				}
			}
		}
		number = url.QueryEscape(number)
	}
	j := judge(document(source(values{ColumnNotifyURL: "https://u:secret@m.example/cb%2F4000056655665556?token=secret"})), options())
	if len(j.rows) != 1 {
		t.Fatal(j.problems)
	}
	if row := j.rows[0]; row.ShownCallback() != "***" || row.Cell(ColumnNotifyURL).String() != "***" {
		t.Errorf("%s, %s", row.ShownCallback(), row.Cell(ColumnNotifyURL))
	}
}
