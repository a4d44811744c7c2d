package signature

import (
	"bytes"
	"encoding/base64"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/signature/internal/base"
)

const (
	beginLine = "-----BEGIN "
	endLine   = "-----END "
	dashes    = "-----"
	onlyBlock = "keep the lines from BEGIN to END of the one key, and nothing else"
)

// pemBlock is the one block of a key file.
type pemBlock struct {
	label     string
	encrypted bool // a Proc-Type or DEK-Info header says so
	der       []byte
}

// readPEM reads the one block of a key file. encoding/pem skips what it does not understand, junk
// and a second key included, and gives no reason; here everything that is not the block is an error
// that says what it is.
func readPEM(file []byte) (pemBlock, ledger.Findings, *fault) {
	if len(file) > maxKeyBytes {
		return pemBlock{}, nil, keyFault(LimitKey, "the key file has more than "+strconv.Itoa(maxKeyBytes)+" bytes",
			"use a file with one key")
	}
	var findings ledger.Findings
	rest, marked := bytes.CutPrefix(file, []byte(byteOrderMark))
	if marked {
		findings = append(findings, found(ByteOrderMark, partKey, "", ""))
	}
	text := strings.Trim(string(rest), " \t\r\n")
	if err := notArmoured(text, rest); err != nil {
		return pemBlock{}, nil, err
	}
	lines, err := pemLines(text)
	if err != nil {
		return pemBlock{}, nil, err
	}
	block, err := parseBlock(lines)
	if err != nil {
		return pemBlock{}, nil, err
	}
	return block, findings, nil
}

// pemLines cuts the text into lines and names the ways in which line breaks are lost.
func pemLines(text string) ([]string, *fault) {
	switch {
	case strings.Contains(text, `\n`) || strings.Contains(text, `\r`):
		return nil, keyFault(KeyNotPEM, `the line breaks are written as a backslash and a letter`,
			"put line breaks back; variables and JSON texts often hold keys in this form")
	case !strings.Contains(text, "\n") && strings.Contains(text, "\r"):
		return nil, keyFault(KeyNotPEM, "the lines end in CR alone", "save the file with LF or CRLF line ends")
	case !strings.Contains(text, "\n"):
		return nil, keyFault(KeyNotPEM, "the whole key is on one line, or is cut short after its first line", "put the line breaks back")
	}
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t\r")
	}
	return lines, nil
}

func parseBlock(lines []string) (pemBlock, *fault) {
	var block pemBlock
	label, ok := strings.CutSuffix(strings.TrimPrefix(lines[0], beginLine), dashes)
	if !ok || strings.HasSuffix(label, "-") {
		return block, damagedBegin()
	}
	block.label = label
	last := 0
	for i, line := range lines[1:] {
		if strings.HasPrefix(line, endLine) {
			last = i + 1
			break
		}
		if strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t") {
			return block, keyFault(KeyNotPEM, "the lines of the key are indented", "remove the spaces in front of them")
		}
		if strings.HasPrefix(line, beginLine) {
			return block, keyFault(KeyNotPEM, "the key has a second BEGIN line before its END line", onlyBlock)
		}
	}
	if last == 0 {
		return block, keyFault(KeyNotPEM, "the key has no END line: the file is cut short", "copy the whole file again")
	}
	if lines[last] != endLine+label+dashes {
		return block, keyFault(KeyNotPEM, "the END line is damaged or names another kind of key than the BEGIN line", "copy the whole file again")
	}
	if err := afterBlock(lines[last+1:]); err != nil {
		if label == "EC PARAMETERS" { // openssl writes them in front of the key
			return block, kindEC.refuse()
		}
		return block, err
	}
	if err := refusedLabel(label); err != nil {
		return block, err
	}
	return block, block.readBody(lines[1:last])
}

func damagedBegin() *fault {
	return keyFault(KeyNotPEM, "the BEGIN line is damaged", "it has five dashes at either end and nothing else")
}

func afterBlock(lines []string) *fault {
	for _, line := range lines {
		if strings.HasPrefix(line, beginLine) {
			return keyFault(KeySurrounding, "the file holds two PEM blocks, and one is needed", onlyBlock)
		}
	}
	if len(lines) > 0 {
		return keyFault(KeySurrounding, "there is text after the END line", onlyBlock)
	}
	return nil
}

// readBody reads header lines, an empty line and base64 lines.
func (b *pemBlock) readBody(lines []string) *fault {
	other := false
	for len(lines) > 0 && strings.Contains(lines[0], ":") {
		name, value, _ := strings.Cut(lines[0], ":")
		if name == "DEK-Info" || strings.Contains(value, "ENCRYPTED") {
			b.encrypted = true
		} else {
			other = true
		}
		lines = lines[1:]
	}
	if other && !b.encrypted {
		return keyFault(KeyMalformed, "the PEM block has header lines", "remove the lines with a colon, and the empty line after them")
	}
	var body strings.Builder
	for _, line := range lines {
		body.WriteString(line)
	}
	if body.Len() == 0 {
		return keyFault(KeyMalformed, "there is nothing between BEGIN and END", "copy the whole file again")
	}
	der, err := base64.StdEncoding.Strict().DecodeString(body.String())
	if err != nil {
		return keyFault(KeyMalformed, "the lines between BEGIN and END are not base64, or are cut short", "copy the whole file again")
	}
	b.der = der
	return nil
}

// notArmoured names what the file is when it does not begin with a BEGIN line.
func notArmoured(text string, file []byte) *fault {
	if strings.HasPrefix(text, beginLine) {
		return nil
	}
	switch {
	case text == "":
		return keyFault(KeyNotPEM, "the key file is empty", "use a file with an RSA key in PEM")
	case bytes.IndexByte(file, 0) >= 0 || len(file) > 1 && file[0] == 0x30 && file[1] >= 0x80:
		return binaryKey(file)
	case strings.HasPrefix(strings.TrimLeft(text, "-"), "BEGIN "):
		return damagedBegin()
	case strings.Contains(text, beginLine):
		return keyFault(KeySurrounding, "there is text before the BEGIN line", onlyBlock)
	}
	for _, known := range foreignTexts() {
		if strings.HasPrefix(text, known.prefix) {
			return keyFault(KeyKind, "this is "+known.name+"; an RSA key in PEM is needed", known.remedy)
		}
	}
	switch {
	case strings.Contains(strings.ToUpper(text), "BEGIN "):
		return keyFault(KeyNotPEM, "the BEGIN line is damaged", "it has five dashes at either end, and BEGIN in upper case")
	case isBase64Text(text):
		return keyFault(KeyNotPEM, "this is base64 without its armour", "put the BEGIN and END lines back around it")
	}
	return keyFault(KeyNotPEM, "the key file has no PEM block", "use a file that begins with -----BEGIN")
}

type foreignText struct{ prefix, name, remedy string }

func foreignTexts() []foreignText {
	const convert = "convert it: ssh-keygen -p -m PEM -f KEY rewrites a private key, ssh-keygen -e -m PKCS8 -f KEY prints a public one"
	return []foreignText{
		{"PuTTY-User-Key-File", "a PuTTY key", "export it from PuTTYgen as an OpenSSH key, then: ssh-keygen -p -m PEM -f KEY"},
		{"ssh-rsa ", "an OpenSSH public key", convert},
		{"ssh-", "an OpenSSH public key that is not RSA", "make an RSA key: openssl genrsa -out key.pem 4096"},
		{"ecdsa-", "an OpenSSH public key that is not RSA", "make an RSA key: openssl genrsa -out key.pem 4096"},
		{"---- BEGIN SSH2", "an SSH2 public key", convert},
		{"<", "an XML text", "export the key as PEM"},
		{"{", "a JSON text", "export the key as PEM"},
	}
}

func isBase64Text(text string) bool {
	for i := range len(text) {
		c := text[i]
		if base.Unreserved(c) && c != '.' && c != '~' && c != '_' && c != '-' || strings.IndexByte("+/=\r\n \t", c) >= 0 {
			continue
		}
		return false
	}
	return len(text) >= 64
}

// binaryKey names a file that is not text.
func binaryKey(file []byte) *fault {
	switch kind := sniff(file); kind {
	case kindPKCS12:
		return kind.refuse()
	case kindUnknown:
		return keyFault(KeyNotPEM, "this is a binary file, or text saved as UTF-16", "save the key as PEM in plain ASCII")
	case kindCertificate:
		return keyFault(KeyKind, "this is a certificate in binary form: it holds a public key only",
			"extract it: openssl x509 -inform DER -in FILE -noout -pubkey -out public.pem")
	default:
		return keyFault(KeyNotPEM, "this is "+kind.row().name+" in binary form (DER)",
			"convert it: openssl pkey -inform DER -in FILE -out key.pem (with -pubin for a public key)")
	}
}
