package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/internal/kit/laws"
	"github.com/chargecast/chargecast/internal/program"
)

func newLaws(a *app) *cobra.Command {
	var format *program.Flag[string]
	c := &cobra.Command{
		Use:     "laws [ID...]",
		Short:   "Lists the laws in sentences",
		Long:    `laws lists the laws that are judged, each with its clauses: all of them, or those of the ids given.`,
		Example: "  chargecast-conform laws\n  chargecast-conform laws T07",
		RunE: func(_ *cobra.Command, args []string) error {
			list := laws.Laws()
			if len(args) > 0 {
				list = nil
				for _, id := range args {
					l, ok := laws.Find(id)
					if !ok {
						return program.Usage("no law has the id "+quoted(id), "chargecast-conform laws lists them")
					}
					list = append(list, l)
				}
			}
			type law struct {
				ID       string `json:"id"`
				Clause   string `json:"clause"`
				Sentence string `json:"sentence"`
				Example  string `json:"example,omitempty"`
			}
			var text strings.Builder
			all := []law{}
			for _, l := range list {
				all = append(all, law{l.ID, l.Clause, l.Sentence, l.Example})
				text.WriteString(l.ID + " (clause " + l.Clause + "): " + l.Sentence + "\n")
				if len(args) > 0 && l.Example != "" {
					text.WriteString("  " + l.Example + "\n")
				}
			}
			if format.V == "json" {
				return a.write("json", program.JSON(all))
			}
			return a.write("text", []byte(text.String()))
		},
	}
	format = program.Output(c, "text", "json")
	return c
}
