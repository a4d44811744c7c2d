package main

import (
	"strings"

	"github.com/chargecast/chargecast/signature"
)

// argumentBytes is the longest argument of a command that is written: Linux allows 128 KiB.
const argumentBytes = 100_000

// shellQuote makes a text one word of a POSIX shell.
func shellQuote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// curlURL returns the URL for curl, with the flags that keep curl from changing what was signed. A user name and a
// password are never signed and are left out.
func curlURL(raw string) (string, error) {
	scheme, rest, _ := strings.Cut(raw, "://")
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	rest = rest[strings.LastIndexByte(rest[:end], '@')+1:]
	if strings.ContainsFunc(rest, func(c rune) bool { return c >= 0x80 }) {
		return "", usage("curl changes the characters of the URL that are not ASCII", "write them percent-encoded")
	}
	flags := ""
	if strings.ContainsAny(rest, "[]{}") {
		flags += " --globoff"
	}
	if strings.Contains(rest, "/.") {
		flags += " --path-as-is"
	}
	return flags + " --url " + shellQuote(scheme+"://"+rest), nil
}

// appendCurl writes the curl command that sends the request.
func appendCurl(dst []byte, r signature.Request, s signature.Signed) ([]byte, error) {
	method, media := r.Method(), r.ContentType()
	if method == "" {
		method = "POST"
	}
	if media == "" {
		media = "application/x-www-form-urlencoded"
	}
	url, err := curlURL(r.URL())
	if err != nil {
		return dst, err
	}
	command := "curl --request " + shellQuote(method) + " \\\n " + url +
		" \\\n  --header " + shellQuote("Content-Type: "+media) +
		" \\\n  --header " + shellQuote("Authorization: "+s.Authorization())
	body := string(s.Body())
	switch {
	case body == "":
		return append(append(dst, command...), '\n'), nil
	case strings.Contains(body, "\x00"):
		return dst, usage("a shell command cannot hold the NUL byte of the body", "send the body from a file")
	case len(body) > argumentBytes:
		// printf is the shell's own, so that no limit of arguments holds.
		return append(dst, "printf %s "+shellQuote(body)+" | "+command+" \\\n  --data-binary @-\n"...), nil
	}
	// --data-raw takes a first @ as it is.
	return append(dst, command+" \\\n  --data-raw "+shellQuote(body)+"\n"...), nil
}

// encodeSecret percent-encodes stdin with tools that every system has.
const encodeSecret = `od -An -v -tx1 | tr -s ' ' '\n' | LC_ALL=C awk 'BEGIN{for(i=33;i<127;i++)c[sprintf("%02x",i)]=sprintf("%c",i)} NF{s=c[$1];printf "%s",(s~/^[A-Za-z0-9._~-]$/)?s:"%" toupper($1)}'`

// openssl writes the command that makes the signature with openssl.
func (s *signing) openssl(signed signature.Signed) (string, error) {
	digest := "openssl dgst -sha256 -sign " + shellQuote(s.key) + " -binary"
	if s.key == "" {
		secret, err := s.secretCommand(s.secretFile, s.secretEnv)
		if err != nil {
			return "", err
		}
		token := ""
		if s.tokenFile != "" || s.tokenEnv != "" {
			if token, err = s.secretCommand(s.tokenFile, s.tokenEnv); err != nil {
				return "", err
			}
		}
		digest = `openssl dgst -sha1 -hmac "` + secret + "&" + token + `" -binary`
	} else if s.key == "-" {
		return "", usage("-o openssl cannot name a key that came on stdin", "give the key as a file")
	} else if strings.HasPrefix(s.key, "-") {
		digest = "openssl dgst -sha256 -sign " + shellQuote("./"+s.key) + " -binary"
	}
	command := digest + " | openssl base64 -A"
	return "printf %s " + shellQuote(signed.BaseString()) + " | " + command + "\n", nil
}

// secretCommand returns the shell text that reads a secret and encodes it, without showing it.
func (s *signing) secretCommand(file, variable string) (string, error) {
	switch {
	case file == "-":
		return "", usage("-o openssl cannot name a secret that came on stdin", "give the secret as a file or in a variable")
	case variable != "" && !isShellName(variable):
		return "", usage("-o openssl cannot name the variable: a shell takes letters, digits and underscores", "use a variable of such a name")
	case variable != "":
		return `$(printf %s "$` + variable + `" | ` + encodeSecret + ")", nil
	}
	// One final line end is not part of the secret. It is taken away once it is encoded: the shell would take them all.
	return `$(<` + shellQuote(file) + " " + encodeSecret + ` | sed -e 's/%0D%0A$//' -e t -e 's/%0A$//')`, nil
}

// isShellName reports whether a shell accepts a name for a variable.
func isShellName(name string) bool {
	for i := range len(name) {
		c := name[i] | 0x20
		if c >= 'a' && c <= 'z' || name[i] == '_' || i > 0 && name[i] >= '0' && name[i] <= '9' {
			continue
		}
		return false
	}
	return name != ""
}
