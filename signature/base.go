package signature

// baseSize returns about what the base string will take: in base64 one byte in 32 becomes five.
func baseSize(url string, params []pair) int {
	size := len(url) + len(url)/2 + 64
	for i := range params {
		n := len(params[i].Name) + len(params[i].Value)
		size += n + n/6 + 16
	}
	return size
}

// appendBase appends the base string of sorted parameters (5.2.5). The third element is encoded
// twice, in one pass from the raw values.
func appendBase(dst []byte, method string, u *urlParts, params []pair) []byte {
	dst = appendEncoded(dst, method)
	dst = append(dst, '&')
	dst = u.appendBaseURI(dst)
	dst = append(dst, '&')
	for i := range params {
		if i > 0 {
			dst = append(dst, "%26"...)
		}
		if name := params[i].Name; isFive(name) || name == namePayload { // they have nothing to encode
			dst = append(dst, name...)
		} else {
			dst = appendEncodedTwice(dst, name)
		}
		dst = append(dst, "%3D"...)
		dst = appendEncodedTwice(dst, params[i].Value)
	}
	return dst
}
