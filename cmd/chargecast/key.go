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
	tokenFile, tokenEnv   string
}

// secret reads the HMAC secret; nil means that none is named.
func (f *keyFlags) secret(a *app) (*signature.Secret, error) {
	if f.secretFile == "" && f.secretEnv == "" {
		return nil, nil
	}
	consumer, err := a.secretText("secret", f.secretFile, f.secretEnv)
	if err != nil {
		return nil, err
	}
	if consumer == "" {
		if f.secretEnv != "" {
			return nil, usage("the variable that --secret-env names is set, but empty", "set it to the merchant control key")
		}
		return nil, usage("the file that --secret-file names is empty", "write the merchant control key into it")
	}
	token := ""
	if f.tokenFile != "" || f.tokenEnv != "" {
		if token, err = a.secretText("token-secret", f.tokenFile, f.tokenEnv); err != nil {
			return nil, err
		}
	}
	s, err := signature.NewSecret(consumer, token)
	if err != nil {
		return nil, signatureError(err)
	}
	return s, nil
}

// secretText reads a secret from a file or a variable. One line end of a file belongs to the editor, not to the secret.
func (a *app) secretText(flag, file, variable string) (string, error) {
	switch {
	case file != "" && variable != "":
		return "", usage("--"+flag+"-file and --"+flag+"-env are both given", "use one of the two")
	case variable != "":
		value := a.getenv(variable)
		if _, set := os.LookupEnv(variable); value == "" && !set {
			return "", usage("the variable that --"+flag+"-env names is not set", "export it, or use --"+flag+"-file")
		}
		return value, nil
	}
	data, err := a.readAll(file, maxKeyBytes, limitBytes, "use a file with the secret alone")
	if err != nil {
		return "", err
	}
	text := string(data)
	if cut, ok := strings.CutSuffix(text, "\n"); ok {
		text = strings.TrimSuffix(cut, "\r")
		a.log.line("chargecast: warning: the file of --" + flag + "-file ends in a line end, which is not used as part of the secret (secret-line-end)")
	}
	return text, nil
}

// one refuses a key and a secret at once, none at all, and a method that is not the key's.
func (f *keyFlags) one(secret *signature.Secret) (signature.Method, error) {
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
func (f *keyFlags) material(a *app) (*signature.Secret, []byte, error) {
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
	key, found, err := signature.LoadPrivateKey(file, signature.KeyRules{})
	if err != nil {
		return nil, f.keyError(err)
	}
	a.tell(found)
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
	if private, found, err := signature.LoadPrivateKey(file, signature.KeyRules{}); err == nil {
		a.tell(found)
		return private.Public(), private, nil
	}
	key, found, err := signature.LoadPublicKey(file, signature.KeyRules{})
	if err != nil {
		return nil, nil, f.keyError(err)
	}
	a.tell(found)
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
