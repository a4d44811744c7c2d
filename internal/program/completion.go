package program

import (
	"strings"

	"github.com/spf13/cobra"
)

// loading shows how a shell takes its completion script.
var loading = map[string]string{
	"bash":       "  source <(NAME completion bash)\n  NAME completion bash >/etc/bash_completion.d/NAME",
	"zsh":        "  source <(NAME completion zsh)\n  NAME completion zsh >\"${fpath[1]}/_NAME\"",
	"fish":       "  NAME completion fish | source\n  NAME completion fish >~/.config/fish/completions/NAME.fish",
	"powershell": "  NAME completion powershell | Out-String | Invoke-Expression\n  NAME completion powershell >>$PROFILE",
}

// completionCommand gives cobra's command two examples and our words.
func completionCommand(root *cobra.Command) {
	for _, c := range root.Commands() {
		if c.Name() != "completion" {
			continue
		}
		load := func(shell string) string { return strings.ReplaceAll(loading[shell], "NAME", root.Name()) }
		c.Short = "Writes the completion script for a shell"
		c.Long = "completion writes a script with which a shell completes the commands, flags and values of\n" + root.Name() + ", each with a description."
		c.Example = load("bash")
		for _, shell := range c.Commands() {
			shell.Short = "Writes the completion script for " + shell.Name()
			shell.Long = shell.Name() + ` writes the completion script for this shell: the first example loads it into the
running shell, the second into every new one.`
			if shell.Name() == "bash" {
				shell.Long += " It needs the package bash-completion."
			}
			shell.Example = load(shell.Name())
			if f := shell.Flags().Lookup("no-descriptions"); f != nil {
				f.Usage = "leave out the descriptions"
			}
		}
	}
}
