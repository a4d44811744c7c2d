package signature

import (
	"bytes"
	"slices"
	"testing"
)

// TestGroupOrders: every order of the three groups is tried once.
func TestGroupOrders(t *testing.T) {
	seen := map[[3]uint8]bool{}
	for _, order := range groupOrders() {
		sorted := order
		slices.Sort(sorted[:])
		if sorted != [3]uint8{0, 1, 2} || seen[order] {
			t.Errorf("%v", order)
		}
		seen[order] = true
	}
}

// TestUnpadPKCS1: the padding of PKCS #1 v1.5 has at least eight bytes FF and ends with 00 (L65).
func TestUnpadPKCS1(t *testing.T) {
	padded := func(ff int, behind ...byte) []byte {
		return append(append([]byte{0, 1}, bytes.Repeat([]byte{0xff}, ff)...), behind...)
	}
	for _, c := range []struct {
		reason string
		em     []byte
		want   []byte // nil where it is refused
	}{
		{"eight", padded(8, 0, 'x'), []byte("x")},
		{"many", padded(200, 0, 'x', 'y'), []byte("xy")},
		{"nothing inside", padded(8, 0), []byte{}},
		{"seven", padded(7, 0, 'x', 'y', 'z'), nil},
		{"none", padded(0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9), nil},
		{"no end", padded(20), nil},
		{"another end", padded(8, 1, 'x'), nil},
		{"another beginning", append([]byte{1}, padded(8, 0, 'x')[1:]...), nil},
		{"another type", append([]byte{0, 2}, padded(8, 0, 'x')[2:]...), nil},
	} {
		got, ok := unpadPKCS1(c.em)
		if ok != (c.want != nil) || !bytes.Equal(got, c.want) {
			t.Errorf("%s: %q, %v", c.reason, got, ok)
		}
	}
}

// TestPlainHosts: a host that needs no further look is signed as if it had been looked at, and no other is taken for one.
func TestPlainHosts(t *testing.T) {
	hosts := []string{"gate.example.com", "10.0.0.1", "a-b", "", ".", "h.", "-", "[2001:db8::1]", "xn--h", "h..h", "h:1", "h%20h", "h/h"}
	for c := range 256 {
		hosts = append(hosts, "h"+string([]byte{byte(c)})+"h", "hh"+string([]byte{byte(c)}))
	}
	plain := 0
	for _, host := range hosts {
		quick := urlParts{scheme: "https", host: host, plain: isPlainHost(host)}
		if !quick.plain {
			continue
		}
		plain++
		whole := quick
		whole.plain = false
		if checkHost(host, 0) != nil || len(whole.findings()) > 0 || len(quick.findings()) > 0 || !bytes.Equal(quick.appendBaseURI(nil), whole.appendBaseURI(nil)) {
			t.Errorf("%q is taken for plain", host)
		}
	}
	if want := 6 + 2*26 + 2*10 + 2*1 + 1; plain != want { // letters, digits, a hyphen inside and last, a point inside
		t.Errorf("%d hosts are plain, want %d", plain, want)
	}
}

// TestUsualNamesNeedNoEncoding: what goes into base string and header unencoded has no byte to encode.
func TestUsualNamesNeedNoEncoding(t *testing.T) {
	for _, name := range []string{nameConsumerKey, nameNonce, nameSignatureMethod, nameTimestamp, nameVersion, namePayload,
		MethodHMACSHA1.String(), MethodRSASHA256.String(), "0123456789"} {
		if needsEncoding(name) {
			t.Errorf("%q is encoded as %s", name, Encode(name))
		}
	}
}
