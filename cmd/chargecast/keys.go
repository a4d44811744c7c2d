package main

import (
	"errors"
	"os"
	"strings"

	"github.com/chargecast/chargecast/internal/program"
	"github.com/chargecast/chargecast/signature"
)

// keyFlags are the flags that name a key. None takes the value of a secret.
type keyFlags struct {
	method                *program.Flag[string]
	key                   string
	secretFile, secretEnv string
	secretAsIs            bool
}

// secret reads the HMAC secret; nil means that none is named.
func (f *keyFlags) secret(a *app) (*signature.HMACKey, error) {
	if f.secretFile == "" && f.secretEnv == "" {
		return nil, nil
	}
	flag := "--secret-file"
	if f.secretEnv != "" {
		flag = "--secret-env"
	}
	text, err := f.secretText(a)
	switch {
	case err != nil:
		return nil, err
	case text == "" && f.secretEnv != "":
		return nil, usage("the variable that --secret-env names is set, but empty", "set it to the merchant control key")
	case text == "":
		return nil, usage("the file that --secret-file names is empty", "write the merchant control key into it")
	}
	if !f.secretAsIs {
		if wrong := secretFault(text); wrong != "" {
			return nil, unreadable(flag+": the secret "+wrong, "write the secret alone, or give --secret-as-is if that is the secret (secret-form)")
		}
		if strings.ContainsAny(text, " \t") {
			a.log.line("chargecast: warning: the secret of " + flag + " has a space in it; check that it is the whole secret and nothing else (secret-form)")
		}
	}
	key, err := signature.NewHMACKey(text)
	if err != nil {
		return nil, signatureError(err)
	}
	return key, nil
}

// secretFault says what a secret has around it that was hardly given out with it; empty for
// nothing.
func secretFault(text string) string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"
	name, value, named := strings.Cut(text, "=")
	trimmed := strings.Trim(text, "\"'`“”„‘’«»")
	switch {
	case strings.HasPrefix(text, "\xff\xfe") || strings.HasPrefix(text, "\xfe\xff"), len(text) > 2 && strings.Count(text, "\x00") >= len(text)/2-1:
		return "is in UTF-16"
	case strings.HasPrefix(text, "\ufeff") || strings.HasSuffix(text, "\ufeff"):
		return "has a byte-order mark"
	case strings.Trim(text, "\x00") != text:
		return "has a NUL byte at an end"
	case strings.TrimSpace(text) != text || strings.ContainsAny(text, "\r\n"):
		return "has white space at an end, or several lines"
	case trimmed != text:
		return "has a quote at an end"
	case named && len(name) > 1 && strings.Trim(value, "=") != "" && strings.Trim(name, letters) == "":
		return "has a name and an equals sign before it"
	}
	return ""
}

// secretText reads a secret from a file or a variable. One line end of a file belongs to the editor, not to the secret.
func (f *keyFlags) secretText(a *app) (string, error) {
	switch {
	case f.secretFile != "" && f.secretEnv != "":
		return "", usage("--secret-file and --secret-env are both given", "use one of the two")
	case f.secretEnv != "":
		value, isSet := a.lookupEnv(f.secretEnv)
		if !isSet {
			return "", usage("the variable that --secret-env names is not set", "export it, or use --secret-file")
		}
		return value, nil
	}
	data, err := a.readAll(f.secretFile, maxKeyBytes, limitBytes, "use a file with the secret alone")
	if err != nil {
		return "", err
	}
	text := string(data)
	if cut, ok := strings.CutSuffix(text, "\n"); ok {
		text = strings.TrimSuffix(cut, "\r")
		a.log.line("chargecast: warning: the file of --secret-file ends in a line end, which is not used as part of the secret (secret-line-end)")
	}
	return text, nil
}

// one refuses a key and a secret at once, none at all, and a method that is not the key's.
func (f *keyFlags) one(secret *signature.HMACKey) (signature.Method, error) {
	var method signature.Method
	switch {
	case f.key != "" && secret != nil:
		return method, usage("an RSA key and a secret are both given", "use --key for RSA-SHA256, or --secret-file or --secret-env for HMAC-SHA1")
	case f.key != "":
		method = signature.MethodRSASHA256
	case secret != nil:
		method = signature.MethodHMACSHA1
	default:
		return method, usage("no key is given", "use --key for RSA-SHA256, or --secret-file or --secret-env for HMAC-SHA1")
	}
	if f.method.V != "" && f.method.V != method.String() {
		return method, usage("--method is not the method of the key that is given", "use --key for RSA-SHA256, or --secret-file or --secret-env for HMAC-SHA1")
	}
	return method, nil
}

// material returns the secret or, if there is none, the text of the key file.
func (f *keyFlags) material(a *app) (*signature.HMACKey, []byte, error) {
	secret, err := f.secret(a)
	if err != nil {
		return nil, nil, err
	}
	method, err := f.one(secret)
	if err != nil || method == signature.MethodHMACSHA1 {
		return secret, nil, err
	}
	file, err := a.readAll(f.key, maxKeyBytes, string(signature.LimitKey), "use a file with one key")
	return nil, file, err
}

// signingKey loads the private key or the secret.
func (f *keyFlags) signingKey(a *app) (signature.SigningKey, error) {
	secret, file, err := f.material(a)
	switch {
	case err != nil:
		return nil, err
	case secret != nil:
		return secret, nil
	}
	key, err := signature.ParsePrivateKey(file)
	if err != nil {
		return nil, f.keyError(err)
	}
	f.warnOfPermissions(a)
	return key, nil
}

// hasKey reports whether a key is given.
func (f *keyFlags) hasKey() bool { return f.key != "" || f.secretFile != "" || f.secretEnv != "" }

// checkingKey loads the key that a signature is judged by. The second result can sign what is to be sent instead; nil if
// the key is a public one.
func (f *keyFlags) checkingKey(a *app) (signature.VerifyingKey, signature.SigningKey, error) {
	secret, file, err := f.material(a)
	switch {
	case err != nil:
		return nil, nil, err
	case secret != nil:
		return secret, secret, nil
	}
	if private, err := signature.ParsePrivateKey(file); err == nil {
		a.reportFindings(private.Findings())
		return private.Public(), private, nil
	}
	key, err := signature.ParsePublicKey(file)
	if err != nil {
		return nil, nil, f.keyError(err)
	}
	a.reportFindings(key.Findings())
	return key, nil, nil
}

// keyError says which file has no key that can be used.
func (f *keyFlags) keyError(err error) error {
	if refused, ok := errors.AsType[*failure](signatureError(err)); ok && refused.Code == exitUnreadable {
		return unreadable(quoted(f.key)+": "+refused.Text, refused.Help)
	}
	return signatureError(err)
}

// warnOfPermissions warns of a private key that everybody may read.
func (f *keyFlags) warnOfPermissions(a *app) {
	if info, err := os.Stat(f.key); err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o004 != 0 {
		a.log.line("chargecast: warning: everybody on this machine may read the private key; change that with chmod 600 (key-permissions)")
	}
}
