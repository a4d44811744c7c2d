package signature

import (
	"bytes"
	"strconv"
	"strings"
)

// curlForm is an output of curl that shows a request.
type curlForm uint8

const (
	notCurl     curlForm = iota
	curlVerbose          // -v: header lines behind "> "
	curlTrace            // --trace-ascii or --trace: blocks of lines with their offset
)

// recogniseCurl looks for the first line that only one of the outputs has, and returns the text from
// there on. The scheme is http if curl says that it connected, and nothing of TLS. The request CONNECT
// to a proxy is skipped, and so is TLS before it, which was with the proxy, and the command line that a
// copy from a terminal begins with.
func recogniseCurl(raw []byte) (text []byte, form curlForm, scheme string) {
	connected, secure, tunnel, typed := false, false, false, false
	for rest := raw; len(rest) > 0; {
		line, after := cutLine(rest)
		if typed || callsCurl(line) {
			rest, typed = after, goesOn(line)
			continue
		}
		if behind, ok := skipConnect(line, after); ok {
			rest, secure, tunnel = behind, false, true
			continue
		}
		answer := tunnel && isAnswer(line)
		if !answer {
			connected = connected || strings.Contains(line, " Connected to ")
			secure = secure || strings.Contains(line, "SSL") || strings.Contains(line, "TLS") || strings.Contains(line, "QUIC")
		}
		if connected && !secure {
			scheme = "http"
		} else {
			scheme = "https"
		}
		switch {
		case strings.Contains(line, "=> Send header, "):
			return rest, curlTrace, scheme
		case strings.HasPrefix(line, "> ") && strings.Contains(line, " HTTP/"):
			return rest, curlVerbose, scheme
		case !answer && !isCurlNoise(line):
			return nil, notCurl, ""
		}
		rest = after
	}
	return nil, notCurl, ""
}

// prompts end what a shell writes before a command.
const prompts = "$#%>"

// callsCurl reports whether a line is a command that calls curl, behind a prompt or not.
func callsCurl(line string) bool {
	const enough = 256 // the prompt and the name of the command
	words := strings.Fields(line[:min(len(line), enough)])
	for i, word := range words[:max(0, len(words)-1)] {
		name := word[strings.LastIndexAny(word, prompts)+1:]
		if name == "curl" || name == "curl.exe" {
			return i == 0 || name != word || strings.ContainsAny(words[i-1][len(words[i-1])-1:], prompts)
		}
	}
	return false
}

// goesOn reports whether a line of a command ends as one that the next line continues, in any shell.
func goesOn(line string) bool {
	return line != "" && strings.IndexByte("\\^`", line[len(line)-1]) >= 0
}

// skipConnect returns what is behind a request CONNECT, if the line begins one.
func skipConnect(line string, after []byte) ([]byte, bool) {
	if strings.HasPrefix(line, "> CONNECT ") {
		for len(after) > 0 && line != ">" && line != "> " && strings.HasPrefix(line, ">") {
			line, after = cutLine(after)
		}
		return after, true
	}
	if !strings.Contains(line, "=> Send header, ") {
		return nil, false
	}
	first, _ := cutLine(after)
	_, content, _ := traceLine(first)
	if data, dumped := readDump(content); dumped {
		content = data
	}
	if !strings.HasPrefix(content, "CONNECT ") {
		return nil, false
	}
	return skipTraceData(after), true
}

// skipTraceData returns what is behind the lines of a block.
func skipTraceData(text []byte) []byte {
	for len(text) > 0 {
		line, after := cutLine(text)
		if _, _, isData := traceLine(line); !isData {
			break
		}
		text = after
	}
	return text
}

// isAnswer reports whether a line is of the answer of a proxy.
func isAnswer(line string) bool {
	_, _, isData := traceLine(line)
	return isData || strings.HasPrefix(line, "<") || strings.Contains(line, "<= Recv header, ") || strings.Contains(line, "<= Recv data, ")
}

// isCurlNoise reports whether curl prints such a line before it sends the header: information, the
// progress meter, and the lines of a TLS handshake in a trace.
func isCurlNoise(line string) bool {
	line = strings.Trim(line, "\r")
	if line == "" {
		return true
	}
	for _, prefix := range [...]string{"* ", "*\t", "{ ", "} ", "  % ", "  0 ", " ", "Note: ", "Warning: "} {
		if strings.HasPrefix(line, prefix) {
			return true
		}
	}
	if strings.Contains(line, "== Info: ") || strings.Contains(line, " Send SSL data, ") || strings.Contains(line, " Recv SSL data, ") {
		return true
	}
	_, _, isData := traceLine(line)
	return isData
}

// readCurlVerbose puts the header lines of the first request back together.
func readCurlVerbose(text []byte) []byte {
	var out []byte
	for line := range strings.Lines(string(text)) {
		line = untimed(strings.TrimRight(line, "\r\n"))
		content, sent := strings.CutPrefix(line, ">")
		if !sent {
			if strings.HasPrefix(line, "*") || strings.HasPrefix(line, "{") || strings.HasPrefix(line, "}") {
				continue
			}
			break
		}
		content = strings.TrimPrefix(content, " ")
		out = append(append(out, content...), "\r\n"...)
		if content == "" {
			break
		}
	}
	return out
}

// readCurlTrace puts header and body of the first request back together.
func readCurlTrace(text []byte) ([]byte, *fault) {
	var out []byte
	inHex := false // as every line is if the first is
	for len(text) > 0 {
		title, rest := cutLine(text)
		_, announced, isBlock := strings.Cut(title, "=> Send ")
		switch {
		case isBlock && strings.HasPrefix(announced, "header, "), isBlock && strings.HasPrefix(announced, "data, "):
			if len(out) == 0 {
				first, _ := cutLine(rest)
				_, content, _ := traceLine(first)
				_, inHex = readDump(content)
			}
			block, after, failed := readTraceBlock(announced, rest, inHex)
			if failed != nil {
				return nil, failed
			}
			if strings.HasPrefix(announced, "header, ") && len(out) > 0 {
				return out, nil // the next request
			}
			out = append(out, block...)
			text = after
		case strings.Contains(title, "<= Recv header, "):
			return out, nil
		default:
			text = rest
		}
	}
	return out, nil
}

func cutLine(text []byte) (line string, rest []byte) {
	before, after, _ := bytes.Cut(text, []byte("\n"))
	return untimed(string(bytes.TrimSuffix(before, []byte("\r")))), after
}

// untimed returns a line without the time that --trace-time puts in front of it: "03:37:19.161030 ".
func untimed(line string) string {
	const form = "00:00:00.000000 "
	if len(line) < len(form) {
		return line
	}
	for i := range len(form) {
		if digit := line[i] >= '0' && line[i] <= '9'; digit != (form[i] == '0') || !digit && line[i] != form[i] {
			return line
		}
	}
	return line[len(form):]
}

// readTraceBlock reads the lines of one block. In ASCII, curl ends a line of its output at each CRLF of
// the data, which it leaves out, and after 64 bytes; the offsets show which.
func readTraceBlock(announced string, text []byte, inHex bool) (block, rest []byte, failed *fault) {
	_, size, _ := strings.Cut(announced, ", ")
	size, _, _ = strings.Cut(size, " ")
	length, ok := readLength(size)
	if !ok {
		return nil, nil, badRequest(noOffset, "a block of the trace does not say how long it is", "capture the trace again")
	}
	ended := false // whether the last line is whole
	for len(block) < length {
		line, after := cutLine(text)
		ended = bytes.IndexByte(text, '\n') >= 0
		offset, content, isData := traceLine(line)
		if !isData {
			break
		}
		text = after
		if inHex {
			if content, isData = readDump(content); !isData {
				break
			}
		}
		if gap := offset - len(block); gap == 2 && !inHex {
			block = append(block, "\r\n"...)
		} else if gap != 0 {
			return nil, nil, badRequest(noOffset, "the lines of the trace do not follow one another", "capture the trace again")
		}
		block = append(block, content...)
	}
	if length-len(block) == 2 && ended && !inHex {
		block = append(block, "\r\n"...)
	}
	if len(block) != length {
		return nil, nil, badRequest(noOffset, "a block of the trace is not as long as it says", "capture the trace again, and edit nothing in it")
	}
	return block, text, nil
}

// traceLine splits a line such as "0040: text" at its offset in hex.
func traceLine(line string) (offset int, content string, ok bool) {
	digits, content, found := strings.Cut(line, ": ")
	if !found {
		digits, found = strings.CutSuffix(line, ":")
	}
	if !found || len(digits) < 4 || strings.Trim(digits, "0123456789abcdef") != "" {
		return 0, "", false
	}
	n, err := strconv.ParseUint(digits, 16, 31)
	return int(n), content, err == nil
}

// dumpWidth is how many bytes --trace shows on a line.
const dumpWidth = 16

// readDump returns the bytes of a line of --trace: up to sixteen in hex, each with a space behind it, spaces
// for those that are missing, and the same bytes as text, a point for what is not printable.
func readDump(content string) (data string, ok bool) {
	count := len(content) - 3*dumpWidth
	if count < 1 || count > dumpWidth || strings.Trim(content[3*count:3*dumpWidth], " ") != "" {
		return "", false
	}
	var raw [dumpWidth]byte
	for i := range count {
		pair, shown := content[3*i:3*i+3], content[3*dumpWidth+i]
		if !isHex(pair[0]) || !isHex(pair[1]) || pair[2] != ' ' {
			return "", false
		}
		raw[i] = unhex(pair[0])<<4 | unhex(pair[1])
		if shown != raw[i] && shown != '.' {
			return "", false
		}
	}
	return string(raw[:count]), true
}
