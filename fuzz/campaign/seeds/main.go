// Command seeds writes the seeds of the native targets as files, each target's in a directory of its own, as libFuzzer,
// AFL and OSS-Fuzz begin with them.
package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"

	"github.com/chargecast/chargecast/fuzz/campaign"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: seeds DIR")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "seeds:", err)
		os.Exit(1)
	}
}

// write writes all seeds below a directory. Their names are check sums.
func write(dir string) error {
	for _, t := range campaign.Targets() {
		of := filepath.Join(dir, t.Name)
		if err := os.MkdirAll(of, 0o777); err != nil {
			return err
		}
		for _, s := range t.Seeds {
			sum := sha256.Sum256([]byte(s.Data))
			if err := os.WriteFile(filepath.Join(of, hex.EncodeToString(sum[:16])), []byte(s.Data), 0o666); err != nil {
				return err
			}
		}
	}
	return nil
}
