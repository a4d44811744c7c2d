package main

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
)

// buildCommand builds the command of the library that this module is built against.
func buildCommand(ctx context.Context, output string) error {
	list, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "github.com/chargecast/chargecast").Output()
	if err != nil {
		return fmt.Errorf("go list, to be run inside bench: %w", err)
	}
	build := exec.CommandContext(ctx, "go", "build", "-C", strings.TrimSpace(string(list)), "-o", output, "./cmd/chargecast")
	if text, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w: %.200s", err, text)
	}
	return nil
}
