package signature

import (
	"slices"

	"github.com/chargecast/chargecast/ledger"
)

// check returns what the header lacks or has too much of under a profile (5.1, 5.5.2). The findings
// of missing are all that leave no signature to judge: a consumer key, nonce, method, timestamp or
// signature that is absent or empty, or an unknown method. The other findings are version,
// timestamp, unknown parameters and values that are not escaped.
func (h *header) check(p *readings) (findings, missing ledger.Findings) {
	for _, name := range [...]string{nameConsumerKey, nameNonce, nameSignatureMethod, nameTimestamp, nameSignature} {
		if value, _ := h.value(name); value == "" {
			missing = append(missing, missingParameter(name))
		}
	}
	method, _ := h.value(nameSignatureMethod)
	if _, ok := readMethod(method); !ok && method != "" {
		missing = append(missing, about(found(SignatureMethod, partHeader, "the signature method is not RSA-SHA256 or HMAC-SHA1", "use one of the two, in upper case"), nameSignatureMethod))
	}
	findings = h.versionFindings(p)
	if timestamp, _ := h.value(nameTimestamp); timestamp != "" {
		_, found := readTimestamp(timestamp)
		findings = append(findings, found...)
	}
	findings = append(findings, h.unknownFindings(p)...)
	for _, name := range h.unescaped {
		if name == nameSignature || isFive(name) {
			findings = append(findings, about(found(HeaderUnescaped, partHeader, "", ""), name))
		}
	}
	return findings, missing
}

func missingParameter(name string) ledger.Finding {
	return about(found(OAuthMissing, partHeader, name+" is absent or empty", "send it"), name)
}

func (h *header) versionFindings(p *readings) ledger.Findings {
	version, sent := h.value(nameVersion)
	switch {
	case sent && version != "1.0":
		return ledger.Findings{about(found(OAuthVersion, partHeader, "", ""), nameVersion)}
	case !sent && !p.versionOptional:
		return ledger.Findings{about(found(OAuthMissing, partHeader, "oauth_version is absent", "send and sign 1.0"), nameVersion)}
	}
	return nil
}

func (h *header) unknownFindings(p *readings) ledger.Findings {
	unknown := slices.ContainsFunc(h.params, func(param pair) bool {
		return param.Name != nameSignature && !signedOAuth(param.Name, p)
	})
	if !unknown {
		return nil
	}
	return ledger.Findings{found(OAuthUnknown, partHeader, "the header has a parameter that this profile does not sign", "leave it out")}
}
