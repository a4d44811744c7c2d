package main

import (
	"errors"
	"slices"

	"github.com/chargecast/chargecast/ledger"
)

// captureError is why a file does not hold a captured request. Package signature does not know its
// name.
func captureError(name string, err error) error {
	f, ok := firstError(err)
	if !ok {
		return signatureError(err)
	}
	if f.Place.File = name; f.Place.Line == 0 {
		return unreadable(name+": "+findingText(f), "")
	}
	return unreadable(findingText(f), "")
}

// firstError is the finding that made package signature refuse something.
func firstError(err error) (ledger.Finding, bool) {
	if all, several := errors.AsType[ledger.Findings](err); several {
		return all[max(0, slices.IndexFunc(all, func(f ledger.Finding) bool { return f.Severity == ledger.SeverityError }))], true
	}
	return errors.AsType[ledger.Finding](err)
}

// signatureError gives an error of package signature the exit code of its place.
func signatureError(err error) error {
	f, ok := firstError(err)
	if !ok {
		return internal("the request cannot be signed", "")
	}
	switch f.Place.File {
	case "key", "body", "request":
		return unreadable(findingText(f), "")
	}
	return usage(findingText(f), "")
}

// requestError is signatureError for a request, whose URL may be a flag's value.
func (f *requestFlags) requestError(err error) error {
	if wrong := f.urlError(err); wrong != nil {
		return wrong
	}
	return signatureError(err)
}

// urlError is an error of package signature that is about the value of --url; nil for any other.
func (f *requestFlags) urlError(err error) error {
	wrong, ok := firstError(err)
	if !ok || wrong.Place.File != "URL" || f.url == "" {
		return nil
	}
	const name = "--url"
	if wrong.Place.File = name; wrong.Place.Line == 0 {
		return usage(name+": "+findingText(wrong), "")
	}
	return usage(findingText(wrong), "")
}

// notJudged ends a command whose request has no verdict. What is wrong with the captured request itself is
// a finding that is written, not a mistake in the command line: the result is then nil.
func (f *requestFlags) notJudged(found ledger.Findings, refused error) error {
	failed := ledger.Finding{}
	if i := slices.IndexFunc(found, func(f ledger.Finding) bool { return f.Severity == ledger.SeverityError }); i >= 0 {
		failed = found[i]
	}
	switch part := failed.Place.File; {
	case f.request == "":
	case part == "method", part == "URL" && f.url == "", part == "body" && !f.bodyElsewhere():
		return nil
	}
	return f.requestError(refused)
}
