package server

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/chargecast/chargecast/gateway"
	"github.com/chargecast/chargecast/internal/program"
)

const keySize = 32

// key reads the key file beside the store, which seals the control keys of merchants, and makes it
// if it is not there. A store that had another one keeps working, apart from its control keys.
func (b *boot) key(ctx context.Context, s gateway.Store, path string) ([]byte, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return b.newKey(ctx, s, path)
	}
	if err != nil {
		return nil, program.Unreadable("the key file beside the store cannot be read", "check its permissions")
	}
	if info, err := os.Stat(path); err == nil && info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" {
		b.log.Warn("others can read the key file, which seals control keys and callback addresses: make it yours alone, as in chmod 600", "file", path)
	}
	key, err := hex.DecodeString(string(bytes.TrimSpace(text)))
	if err != nil || len(key) != keySize {
		return nil, program.Unreadable("the key file beside the store is not 64 hex digits", "restore it, or remove it and register the control keys again")
	}
	return key, nil
}

// newKey makes the key file, and logs whose control keys were encrypted with another one.
func (b *boot) newKey(ctx context.Context, s gateway.Store, path string) ([]byte, error) {
	var merchants []gateway.Merchant
	err := s.View(ctx, func(tx gateway.Tx) (err error) {
		merchants, err = tx.Merchants().List(gateway.Query{OldestFirst: true})
		return err
	})
	if err != nil {
		return nil, err
	}
	key := make([]byte, keySize)
	_, _ = rand.Read(key) // never fails
	if err := writePrivate(path, []byte(hex.EncodeToString(key)+"\n")); err != nil {
		return nil, err
	}
	for _, m := range merchants {
		if len(m.ControlKey) > 0 {
			b.log.Warn("the key file was missing: HMAC-SHA1 of this merchant is refused until the control key is registered again, or the key file restored",
				"login", m.Login)
		}
	}
	return key, nil
}

// writePrivate writes a file that its owner alone can read: whole, or not at all. What a process
// that was killed left of it goes when it is written again, as the next start does.
func writePrivate(path string, content []byte) error {
	dir, name := filepath.Split(path)
	part := filepath.Join(dir, ".chargecast-new-"+name)
	_ = os.Remove(part)
	f, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return unwritable(name)
	}
	_, err = f.Write(content)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(part, path)
	}
	if err != nil {
		_ = os.Remove(part)
		return unwritable(name)
	}
	return nil
}

func unwritable(name string) error {
	return program.Internal("the file "+name+" beside the store cannot be written", "check the permissions of the directory, and the room on the disk")
}
