package campaign

import (
	"flag"
	"maps"
	"os"
	"path/filepath"
	"testing"
)

var seedsDir = flag.String("seeds", "", "write the seeds of the targets below this directory, for libfuzzer/build.sh")

// TestSeeds writes the seeds of each target as files in a directory of its own, as libFuzzer, AFL and OSS-Fuzz begin with
// them, named by check sums.
func TestSeeds(t *testing.T) {
	dir := *seedsDir
	if dir == "" {
		dir = t.TempDir()
	}
	for _, of := range Targets() {
		want := map[string]string{}
		for _, s := range of.Seeds {
			want[checkSum([]byte(s.Data))] = s.Data
		}
		if err := os.MkdirAll(filepath.Join(dir, of.Name), 0o777); err != nil {
			t.Fatal(err)
		}
		for name, text := range want {
			if err := os.WriteFile(filepath.Join(dir, of.Name, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		got := files(t, filepath.Join(dir, of.Name))
		if !maps.Equal(got, want) || len(want) == 0 {
			t.Errorf("%s has %d files for %d seeds", of.Name, len(got), len(of.Seeds))
		}
	}
}
