package capture

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/ledger"
)

// isCommand reports whether the first line of a text calls curl, with its body before a pipe or
// not.
func isCommand(line string) bool {
	name, _, more := strings.Cut(strings.TrimLeft(line, " \t"), " ")
	return more && (name == "curl" || name == "curl.exe" || name == "printf" && strings.HasPrefix(line, "printf %s "))
}

// bareCommand skips what comes before a command: empty lines, comments, the prompt of a shell.
func bareCommand(text string) string {
	for {
		text = strings.TrimLeft(text, " \t\r\n")
		switch line, rest, _ := strings.Cut(text, "\n"); {
		case strings.HasPrefix(line, "#"):
			text = rest
		case strings.HasPrefix(line, "$ ") || strings.HasPrefix(line, "% "):
			return strings.TrimLeft(line[2:], " \t") + "\n" + rest
		default:
			return text
		}
	}
}

// isScript reports whether a text that is not a command has one in it: a shell script.
func isScript(text string) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimLeft(line, " \t$")
		if isCommand(strings.TrimRight(line, "\r\n")) || strings.Contains(line, "=$(curl ") || strings.Contains(line, "| curl ") {
			return true
		}
	}
	return false
}

// A command is a curl command, as far as it says what is sent.
type command struct {
	method, url        string
	fields             fieldList
	data               []string
	hasData, head      bool
	anyBody, elsewhere bool    // the body may be in a file, and is
	stdin              *string // what a pipe sends
	media              string  // the content type of the data
}

// The options of curl that do not change what is signed: those with a value, then those without.
const (
	ignoredWithValue = " A user-agent b cookie e referer m max-time o output w write-out x proxy proxy-user cacert capath cert E key " +
		"connect-timeout resolve connect-to retry retry-delay retry-max-time trace trace-ascii stderr c cookie-jar D dump-header max-redirs limit-rate interface ciphers tls-max noproxy "
	ignored = " compressed globoff g path-as-is k insecure s silent S show-error v verbose i include L location f fail fail-with-body http1.1 http1.0 http2 " +
		"http2-prior-knowledge http3 trace-time N no-buffer 4 ipv4 6 ipv6 tlsv1.2 tlsv1.3 ssl-no-revoke tcp-nodelay 0 # progress-bar no-progress-meter "
)

// The options of curl that say what is sent, each with a value.
const sentOptions = " url X request H header d data data-ascii data-binary data-raw json data-urlencode "

// parseCommand reads a curl command of a POSIX shell, or of Windows cmd as browsers copy it.
func parseCommand(text string, o Options) (Request, ledger.Findings, error) {
	var words []string
	var err error
	if isCmd(text) {
		words, err = splitCmd(text)
	} else {
		words, err = splitShell(text)
	}
	if err != nil {
		return Request{}, nil, err
	}
	c := command{anyBody: o.AnyBody}
	if len(words) > 4 && words[0] == "printf" && words[1] == "%s" && words[3] == pipe {
		c.stdin, words = &words[2], words[4:]
	}
	if name := words[0]; name != "curl" && name != "curl.exe" {
		return refuse(nowhere, "the command is not curl, or is a pipe of another form than printf %s BODY | curl", "paste the curl command alone, with its body")
	}
	if i := slices.Index(words, pipe); i >= 0 { // what reads its output does not matter
		words = words[:i]
	}
	if err := c.take(words[1:]); err != nil {
		return Request{}, nil, err
	}
	return c.request()
}

// take reads the arguments of curl.
func (c *command) take(args []string) error {
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		if len(arg) < 2 || arg[0] != '-' {
			if err := c.option("url", arg); err != nil {
				return err
			}
			continue
		}
		name, isLong := strings.CutPrefix(arg, "--")
		if !isLong { // short ones may be joined, the last with its value
			rest := arg[1:]
			for len(rest) > 1 && isIn(ignored, rest[:1]) {
				rest = rest[1:]
			}
			if name = rest[:1]; len(rest) > 1 {
				args = append([]string{rest[1:]}, args...)
			}
		}
		switch {
		case name == "I" || name == "head":
			c.head = true
			continue
		case isIn(ignored, name):
			continue
		case !isIn(ignoredWithValue, name) && !isIn(sentOptions, name):
			return notRead(name)
		case len(args) == 0:
			return fault(nowhere, "the last option of the command has no value", "paste the command whole")
		}
		value := args[0]
		args = args[1:]
		if isIn(ignoredWithValue, name) {
			continue
		}
		if err := c.option(name, value); err != nil {
			return err
		}
	}
	return nil
}

func isIn(list, name string) bool {
	return name != "" && !strings.Contains(name, " ") && strings.Contains(list, " "+name+" ")
}

// option takes an option that says what is sent.
func (c *command) option(name, value string) error {
	switch name {
	case "url":
		if c.url != "" {
			return fault(nowhere, "the command has more than one URL", "paste the command of one request")
		}
		c.url = value
	case "X", "request":
		c.method = value
	case "H", "header":
		header, text, ok := strings.Cut(value, ":")
		if !ok || header == "" {
			return nil // curl sends none
		}
		c.fields = append(c.fields, field{header, strings.Trim(text, " \t")})
	case "d", "data", "data-ascii", "data-binary", "json", "data-raw":
		if name == "json" {
			c.media = "application/json"
		}
		if file, ok := strings.CutPrefix(value, "@"); ok && name != "data-raw" {
			if file != "-" || c.stdin == nil {
				return c.inFile()
			}
			value = *c.stdin
			if name != "data-binary" && name != "json" {
				value = strings.NewReplacer("\r", "", "\n", "", "\x00", "").Replace(value)
			}
		}
		c.add(value, name)
	case "data-urlencode":
		before, content, named := strings.Cut(value, "=")
		if !named {
			before, content = "", value
		}
		if strings.Contains(before, "@") || !named && strings.Contains(value, "@") {
			return c.inFile()
		}
		encoded := strings.ReplaceAll(url.QueryEscape(content), "+", "%20")
		if before != "" {
			encoded = before + "=" + encoded
		}
		c.add(encoded, name)
	}
	return nil
}

// notRead refuses an option by its name, unless that may be something else.
func notRead(name string) error {
	const longest = 24
	shown := "an option"
	switch {
	case len(name) == 1:
		shown = "-" + name
	case len(name) <= longest && strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz-") == "":
		shown = "--" + name
	}
	return fault(nowhere, "the command has an option of curl that is not read: "+shown, "send the request without it, or capture the request as HTTP text")
}

// inFile is what becomes of a body that is in a file.
func (c *command) inFile() error {
	if !c.anyBody {
		return hinted(HintBody, "the body of the command is in a file", "read that file itself, or give it as the body")
	}
	c.hasData, c.elsewhere = true, true
	return nil
}

func (c *command) add(data, name string) {
	if c.hasData && name != "json" {
		data = "&" + data
	}
	c.data, c.hasData = append(c.data, data), true
}

func (c *command) request() (Request, ledger.Findings, error) {
	target, _, _ := strings.Cut(c.url, "#")
	if target == "" {
		return refuse(nowhere, "the command has no URL", "paste the command whole")
	}
	if !strings.Contains(target, "://") {
		target = "http://" + target // as curl takes it
	}
	method := c.method
	switch {
	case method != "":
	case c.hasData:
		method = "POST"
	case c.head:
		method = "HEAD"
	default:
		method = "GET"
	}
	if c.elsewhere {
		c.data = nil
	}
	r, found, err := c.fields.request(method, target, []byte(strings.Join(c.data, "")))
	if r.ContentType == "" && c.hasData {
		r.ContentType = "application/x-www-form-urlencoded"
		if c.media != "" {
			r.ContentType = c.media
		}
	}
	return r, found, err
}

// pipe is the word for an unquoted |, which no argument is.
const pipe = "\x00|"

// splitShell splits a command of a POSIX shell into words. What the shell would compute is refused:
// the request that it makes is not in the text.
func splitShell(text string) ([]string, error) {
	var words []string
	var word []byte
	inWord := false
	end := func() {
		if inWord {
			words, word, inWord = append(words, string(word)), word[:0], false
		}
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case ' ', '\t', '\r':
			end()
		case '\n':
			if end(); isScript(text[i:]) {
				return nil, fault(nowhere, "there are several commands", "paste one curl command")
			}
			return words, nil
		case '\\':
			if i++; i < len(text) && text[i] == '\r' && i+1 < len(text) && text[i+1] == '\n' {
				i++
			}
			if i < len(text) && text[i] != '\n' {
				word, inWord = append(word, text[i]), true
			}
		case '\'':
			close := strings.IndexByte(text[i+1:], '\'')
			if close < 0 {
				return nil, unclosed()
			}
			word, inWord = append(word, text[i+1:i+1+close]...), true
			i += 1 + close
		case '"':
			quoted, size, err := readQuoted(text[i+1:])
			if err != nil {
				return nil, err
			}
			word, inWord = append(word, quoted...), true
			i += size
		case '$':
			if i+1 < len(text) && text[i+1] == '\'' {
				quoted, size, err := readANSI(text[i+2:])
				if err != nil {
					return nil, err
				}
				word, inWord = append(word, quoted...), true
				i += 1 + size
				continue
			}
			return nil, computed()
		case '|':
			end()
			words = append(words, pipe)
		case ';', '&':
			if end(); !callsCurl(words) || isScript(strings.TrimLeft(text[i:], ";& ")) {
				return nil, computed()
			}
			return words, nil
		case '>':
			if strings.Trim(string(word), "0123456789") != "" {
				end()
			}
			word, inWord = word[:0], false // the number of an output
			i += redirected(text[i:])
		case '`', '(', ')', '<':
			return nil, computed()
		default:
			if !inWord && isTypographic(text[i:]) {
				return nil, fault(nowhere, "the command has typographic quotes, which a shell takes for letters", "replace them by ' or \", or paste the command from a text without formatting")
			}
			word, inWord = append(word, c), true
		}
	}
	end()
	return words, nil
}

func callsCurl(words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return word == "curl" || word == "curl.exe" })
}

// redirected returns how many bytes the place of an output takes, behind its >.
func redirected(text string) int {
	rest := strings.TrimLeft(text, ">&| ")
	end := strings.IndexAny(rest, " \t\r\n;|&")
	if end < 0 {
		end = len(rest)
	}
	return len(text) - len(rest) + end - 1
}

// isTypographic reports whether a text begins with a quote that editors and chats put in the place of a straight one.
func isTypographic(text string) bool {
	return slices.ContainsFunc([]string{"“", "”", "„", "‘", "’", "‚", "«", "»"}, func(quote string) bool { return strings.HasPrefix(text, quote) })
}

func unclosed() error {
	return fault(nowhere, "the command has a quote that is not closed", "paste the command whole")
}

func computed() error {
	return fault(nowhere, "the command has a part that a shell computes, such as a variable or another command", "paste one curl command with its values, quoted")
}

// readQuoted reads what is behind a double quote; size includes the closing one.
func readQuoted(text string) (out []byte, size int, err error) {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '"':
			return out, i + 1, nil
		case '$', '`':
			return nil, 0, computed()
		case '\\':
			if i++; i < len(text) && strings.IndexByte("\"\\$`\n", text[i]) < 0 {
				out = append(out, '\\')
			}
			if i < len(text) && text[i] != '\n' {
				out = append(out, text[i])
			}
		default:
			out = append(out, c)
		}
	}
	return nil, 0, unclosed()
}

// readANSI reads what is behind $', as browsers quote a body with line breaks; size includes the closing quote.
func readANSI(text string) (out []byte, size int, err error) {
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == '\'' {
			return out, i + 1, nil
		}
		if c != '\\' || i+1 == len(text) {
			out = append(out, c)
			continue
		}
		i++
		simple := strings.IndexByte(`nrtabfv\'"`+"?", text[i])
		digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[text[i]]
		switch {
		case simple >= 0:
			out = append(out, "\n\r\t\a\b\f\v\\'\"?"[simple])
		case digits > 0:
			n := 0
			for n < digits && i+1+n < len(text) && strings.IndexByte("0123456789abcdefABCDEF", text[i+1+n]) >= 0 {
				n++
			}
			code, err := strconv.ParseUint(text[i+1:i+1+n], 16, 32)
			switch {
			case err != nil:
				return nil, 0, fault(nowhere, "the command has an escape that cannot be read", "paste the command as it was copied")
			case digits == 2:
				out = append(out, byte(code))
			default:
				out = append(out, string(rune(code))...)
			}
			i += n
		default:
			return nil, 0, fault(nowhere, "the command has an escape that cannot be read", "paste the command as it was copied")
		}
	}
	return nil, 0, unclosed()
}

// isCmd reports whether a command is one for Windows cmd: the caret continues its lines, or quotes its quotes.
func isCmd(text string) bool {
	line, _, _ := strings.Cut(text, "\n")
	return strings.Contains(line, `^"`) || strings.HasSuffix(strings.TrimRight(line, "\r "), "^")
}

// splitCmd splits a command of Windows cmd into words. Carets go first, as cmd takes them away, then the rest is split
// as the C library does.
func splitCmd(text string) ([]string, error) {
	var plain []byte
	for i := 0; i < len(text); i++ {
		if text[i] != '^' || i+1 == len(text) {
			plain = append(plain, text[i])
			continue
		}
		i++
		if text[i] == '\r' && i+1 < len(text) && text[i+1] == '\n' {
			i++
		}
		if text[i] == '\n' { // goes on; an empty line behind it is a line break of the value
			rest := strings.TrimPrefix(text[i+1:], "\r")
			if strings.HasPrefix(rest, "\n") {
				plain, i = append(plain, '\n'), len(text)-len(rest)
			}
			continue
		}
		plain = append(plain, text[i])
	}
	var words []string
	var word []byte
	inWord, quoted := false, false
	for i := 0; i < len(plain); i++ {
		switch c := plain[i]; {
		case c == '\\':
			n := 1
			for i+n < len(plain) && plain[i+n] == '\\' {
				n++
			}
			inWord = true
			if i+n < len(plain) && plain[i+n] == '"' {
				word = append(word, strings.Repeat(`\`, n/2)...)
				if n%2 == 1 {
					word, i = append(word, '"'), i+n
				} else {
					i += n - 1
				}
				continue
			}
			word, i = append(word, strings.Repeat(`\`, n)...), i+n-1
		case c == '"' && quoted && i+1 < len(plain) && plain[i+1] == '"':
			word, i = append(word, '"'), i+1
		case c == '"':
			quoted, inWord = !quoted, true
		case !quoted && (c == ' ' || c == '\t' || c == '\r' || c == '\n'):
			if inWord {
				words, word, inWord = append(words, string(word)), word[:0], false
			}
		default:
			word, inWord = append(word, c), true
		}
	}
	if quoted {
		return nil, unclosed()
	}
	if inWord {
		words = append(words, string(word))
	}
	return words, nil
}
