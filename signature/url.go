package signature

import (
	"strings"

	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/signature/internal/base"
)

// splitURL cuts a URL into its parts, and refuses what the profile does not allow (L59).
func splitURL(u *base.URL, raw string, p *readings) *fault {
	switch wrong := u.Split(raw); {
	case wrong == nil:
		return checkURL(u, p)
	case wrong.Port:
		return faultAt(URLPort, partURL, wrong.Offset, "", "").locate(raw)
	case wrong.Offset < 0:
		return newFault(URLForm, partURL, wrong.Message, wrong.Help)
	default:
		f := faultAt(URLForm, partURL, wrong.Offset, wrong.Message, "")
		f.Help = wrong.Help // none where the message says it all
		return f.locate(raw)
	}
}

func checkURL(u *base.URL, p *readings) *fault {
	switch {
	case u.HasUserinfo && !p.dropExtras:
		return newFault(URLUserinfo, partURL, "", "")
	case u.HasQuery && !p.signQuery:
		return newFault(URLQuery, partURL, "", "")
	case u.HasFragment && !p.dropExtras:
		return newFault(URLFragment, partURL, "", "")
	case u.HasPort && !p.loosePort && (u.Port == "" || u.Port[0] == '0'):
		return newFault(URLPort, partURL, "the port is empty or has a leading zero", "write a plain number, or leave out the colon")
	}
	return nil
}

// urlFindings warns of hosts that are signed as typed although another spelling of them is common.
func urlFindings(u *base.URL) ledger.Findings {
	if u.Plain {
		return nil
	}
	odd := strings.HasSuffix(u.Host, ".") || u.Host[0] == '[' && strings.Contains(u.Host, "%")
	for i := 0; i < len(u.Host) && !odd; i++ {
		odd = u.Host[i] >= 0x80
	}
	if !odd {
		return nil
	}
	return ledger.Findings{found(URLHost, partURL, "", "")}
}

// endpointID is what a path template has in the place of the endpoint id, and createPath the
// template that the document shows (4.1). The path may change (4.1, 9), so nothing insists on it.
const (
	endpointID = "{endpoint_id}"
	createPath = "/paynet/api/v4/create-recurring-payments/" + endpointID
)

// An Endpoint is where create-recurring-payments is sent (4.1). No host is built in.
type Endpoint struct {
	Base     string // scheme and host, and a path prefix if any; with or without a final slash
	Template string // the path with {endpoint_id} once; empty means the path that the document shows
	ID       string // the endpoint id; it is percent-encoded in the path
}

// URL returns the full URL. The error has the code [URLTemplate], or is that of a URL which cannot
// be signed under ProfileGateway.
func (e Endpoint) URL() (string, error) {
	template := e.Template
	if template == "" {
		template = createPath
	}
	before, after, ok := strings.Cut(template, endpointID)
	if !ok || strings.Contains(after, endpointID) || e.ID == "" {
		return "", newFault(URLTemplate, partURL, "", "").err()
	}
	raw := strings.TrimSuffix(e.Base, "/") + "/" + strings.TrimPrefix(before, "/") + Encode(e.ID) + after
	for _, text := range [...]string{e.Base, raw} { // a base without a host would take the first segment for it
		if failed := splitURL(new(base.URL), text, &profiles[ProfileGateway]); failed != nil {
			return "", failed.err()
		}
	}
	return raw, nil
}
