package main

import (
	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/fuzz/campaign"
	"github.com/chargecast/chargecast/internal/program"
)

func newMerge() *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:   "merge DIR... --dir OUT",
		Short: "Joins the corpora of several machines",
		Long: `merge adds what the corpora of other machines have learned to the one in --dir, which is made
where it is missing: equal cases are one, of each law the smallest cases that meet every class
are kept, and every case that fails. Let each machine run with a --seed of its own.`,
		Example: `  chargecast-conform merge monday tuesday --dir corpus`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return program.Usage("give the directories of the corpora", "such as: chargecast-conform merge monday tuesday --dir corpus")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if out == "" {
				return program.Usage("give --dir, the corpus to add to", "such as: chargecast-conform merge monday tuesday --dir corpus")
			}
			return corpusError(campaign.Merge(out, args...))
		},
	}
	c.Flags().StringVar(&out, "dir", "", "`OUT` is the directory of the corpus to add to")
	return c
}
