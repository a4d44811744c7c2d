package base

import "github.com/chargecast/chargecast/ledger"

// A Problem is what is wrong with a part of a request. Package signature, which has the rule of
// each code, makes a finding of it.
type Problem struct {
	Code          ledger.Code
	Part          string // the input that it is about
	Offset        int    // of the byte that is wrong; negative if none is
	Message, Help string // in place of those of the rule; empty for them
	Parameter     string // the name of the parameter that it is about
}

// The inputs that a problem can be about.
const (
	PartURL     = "URL"
	PartBody    = "body"
	PartHeader  = "Authorization"
	PartRequest = "request"
	PartMethod  = "method"
)

// The codes of the problems here, which package signature declares.
const (
	codeURLForm            ledger.Code = "url-form"
	codeURLPort            ledger.Code = "url-port"
	codeURLQuery           ledger.Code = "url-query"
	codeURLFragment        ledger.Code = "url-fragment"
	codeURLUserinfo        ledger.Code = "url-userinfo"
	codeURLHost            ledger.Code = "url-host"
	codeMethodNotPost      ledger.Code = "method-not-post"
	codeContentType        ledger.Code = "content-type"
	codeContentTypeMissing ledger.Code = "content-type-missing"
	codeContentTypeCharset ledger.Code = "content-type-charset"
	codeFormEscape         ledger.Code = "form-escape"
	codeFormPlus           ledger.Code = "form-plus"
	codeLimitParameters    ledger.Code = "limit-parameters"
	codeSignatureInBody    ledger.Code = "signature-in-body"
	codeOAuthConflict      ledger.Code = "oauth-conflict"
	codeOAuthUnknown       ledger.Code = "oauth-unknown"
	codeParameterDuplicate ledger.Code = "parameter-duplicate"
	codeParameterExtra     ledger.Code = "parameter-extra"
	codeHeaderScheme       ledger.Code = "header-scheme"
	codeHeaderSyntax       ledger.Code = "header-syntax"
	codeHeaderDuplicate    ledger.Code = "header-duplicate"
	codeLimitHeader        ledger.Code = "limit-header"
)
