package signature

import "github.com/chargecast/chargecast/signature/internal/base"

// byteOrderMark is that of UTF-8, which some editors write.
const byteOrderMark = "\xef\xbb\xbf"

// Encode returns the percent-encoding of a text: unreserved bytes stay, every other byte becomes %XX
// with upper-case hex digits, a space %20 (5.2.2). It works on bytes: nothing is normalised, invalid
// UTF-8 is kept. The result is at most three times as long as src.
func Encode(src string) string {
	return string(base.AppendEncoded(make([]byte, 0, len(src)+len(src)/6), src))
}

// Decode undoes one percent-encoding: a percent sign needs two hex digits of either case after it,
// and a plus sign is a plus sign. The error has the code [FormEscape] and the offset of the percent
// sign.
func Decode(src string) (string, error) {
	out, err := decode(src, partText, 0)
	return out, err.locate(src).err()
}

// decode is Decode of a part of a longer text, in which it begins at an offset.
func decode(src, part string, offset int) (string, *fault) {
	out, bad := base.Decode(src)
	if bad >= 0 {
		return "", faultAt(FormEscape, part, offset+bad, "", "")
	}
	return out, nil
}
