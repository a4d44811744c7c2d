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
	"powershell": "  NAME completion powershell | Out-String | Invoke-Expression",
}

// completionCommand puts our words in the place of cobra's, and lets the script for bash work by itself.
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
running shell, the second, where there is one, into every new one.`
			shell.Example = load(shell.Name())
			if f := shell.Flags().Lookup("no-descriptions"); f != nil {
				f.Usage = "leave out the descriptions"
			}
			if shell.Name() == "bash" {
				write := shell.RunE
				shell.RunE = func(c *cobra.Command, args []string) error {
					if err := write(c, args); err != nil {
						return err
					}
					_, err := c.OutOrStdout().Write([]byte(strings.ReplaceAll(withoutPackage, "NAME", root.Name())))
					return err
				}
			}
		}
	}
}

// withoutPackage stands in for the functions of the package bash-completion that cobra's script calls, where it is not
// installed: the words are those of the line up to the cursor, with = and : in them.
const withoutPackage = `
if ! declare -F _get_comp_words_by_ref >/dev/null 2>&1; then
    __NAME_init_completion() {
        COMPREPLY=()
        local line=${COMP_LINE:0:COMP_POINT}
        read -ra words <<<"$line"
        [[ $line == *[[:space:]] ]] && words+=("")
        cword=$((${#words[@]} - 1))
        cur=${words[cword]}
        prev=${words[cword > 0 ? cword - 1 : 0]}
    }
fi
if ! declare -F __ltrim_colon_completions >/dev/null 2>&1; then
    __ltrim_colon_completions() {
        [[ $1 == *:* && $COMP_WORDBREAKS == *:* ]] && COMPREPLY=("${COMPREPLY[@]#"${1%"${1##*:}"}"}")
        return 0
    }
fi
`
