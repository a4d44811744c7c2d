package capture

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/ledger"
)

// The titles of the blocks of a trace.
const (
	titleInfo   = "== Info: "
	titleHeader = "=> Send header, "
	titleData   = "=> Send data, "
)

// isTrace reports whether the first line of a text is one of curl --trace-ascii.
func isTrace(line string) bool {
	line = untimed(line)
	return strings.HasPrefix(line, titleInfo) || strings.HasPrefix(line, titleHeader) || strings.HasPrefix(line, "Warning: ") || strings.HasPrefix(line, "Note: ")
}

// parseTrace reads the requests of a trace and returns one of them.
func parseTrace(text []byte, o Options) (Request, ledger.Findings, error) {
	requests, scheme, err := readTrace(text)
	if err != nil {
		return Request{}, nil, err
	}
	if len(requests) == 0 {
		return refuse(nowhere, "the output of curl shows no request", "curl did not connect, or the lines that begin with => are missing")
	}
	signed := make([]bool, len(requests))
	for i, raw := range requests {
		header, _, _ := bytes.Cut(raw, []byte("\r\n\r\n"))
		for line := range strings.SplitSeq(string(header), "\r\n") {
			name, value, _ := strings.Cut(line, ":")
			signed[i] = signed[i] || strings.EqualFold(name, "Authorization") && isSigned(strings.TrimLeft(value, " \t"))
		}
	}
	at, err := choose("the trace", signed, o.Entry)
	if err != nil {
		return Request{}, nil, err
	}
	s := scanner{raw: requests[at], scheme: scheme, anyHost: o.AnyHost}
	r, found, err := s.request()
	if f, failed := err.(ledger.Finding); failed { // its place is not one of the text that was given
		f.Place = ledger.Place{File: part}
		err = f
	}
	return r, found, err
}

// readTrace puts the requests of a trace back together. The scheme is http if curl says that it connected, and nothing of TLS.
func readTrace(text []byte) (requests [][]byte, scheme string, err error) {
	connected, secure := false, false
	for len(text) > 0 {
		line, rest := cutLine(text)
		title := untimed(line)
		info, isInfo := strings.CutPrefix(title, titleInfo)
		size, isHeader := strings.CutPrefix(title, titleHeader)
		if !isHeader {
			size, _ = strings.CutPrefix(title, titleData)
		}
		switch {
		case isInfo:
			connected = connected || strings.HasPrefix(info, "Connected to ")
			secure = secure || strings.Contains(info, "SSL") || strings.Contains(info, "TLS") || strings.Contains(info, "QUIC")
		case strings.HasPrefix(title, titleHeader), strings.HasPrefix(title, titleData):
			var block []byte
			if block, rest, err = readBlock(size, rest); err != nil {
				return nil, "", err
			}
			if isHeader && !isContinued(requests) {
				requests = append(requests, nil)
			} else if len(requests) == 0 {
				return nil, "", fault(nowhere, "the trace has a body without its header", "capture the trace from its beginning")
			}
			last := len(requests) - 1
			requests[last] = append(requests[last], block...)
		}
		text = rest
	}
	if connected && !secure {
		return requests, "http", nil
	}
	return requests, "https", nil
}

// isContinued reports whether the header of the last request has not ended yet: curl shows a long one in several blocks.
func isContinued(requests [][]byte) bool {
	return len(requests) > 0 && !bytes.Contains(requests[len(requests)-1], []byte("\r\n\r\n"))
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

// readBlock reads the lines of one block. curl ends a line of its output at each CRLF of the data, which it leaves out,
// and after 64 bytes; the offsets show which.
func readBlock(size string, text []byte) (block, rest []byte, err error) {
	size, _, _ = strings.Cut(size, " ")
	length, ok := readLength(size)
	if !ok {
		return nil, nil, fault(nowhere, "a block of the trace does not say how long it is", "capture the trace again")
	}
	ended := false // whether the last line is whole
	for len(block) < length {
		line, after := cutLine(text)
		offset, content, isData := traceLine(line)
		if !isData {
			break
		}
		switch offset - len(block) {
		case 2:
			block = append(block, "\r\n"...)
		case 0:
		default:
			return nil, nil, fault(nowhere, "the lines of the trace do not follow one another", "capture it again with --trace-ascii, not with --trace")
		}
		ended = bytes.IndexByte(text, '\n') >= 0
		block, text = append(block, content...), after
	}
	if length-len(block) == 2 && ended {
		block = append(block, "\r\n"...)
	}
	if len(block) != length {
		return nil, nil, fault(nowhere, "a block of the trace is not as long as it says", "capture it again with --trace-ascii, and edit nothing in it")
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
