package job

import (
	"cmp"
	"slices"

	"github.com/chargecast/chargecast/ledger"
)

// A Count is how many findings of one code there are, and where the first one is.
type Count struct {
	Code     ledger.Code     `json:"code"`
	Severity ledger.Severity `json:"severity"`
	Count    int             `json:"count"`
	File     string          `json:"file,omitempty"`
	Row      int             `json:"row,omitempty"` // 0: the first is about no row
}

// counted adds the findings that c counts. A code that is in counts keeps its place, which is the
// earlier one.
func counted(counts []Count, c Count) []Count {
	i := slices.IndexFunc(counts, func(o Count) bool { return o.Code == c.Code && o.Severity == c.Severity })
	if i < 0 {
		return append(counts, c)
	}
	counts[i].Count += c.Count
	return counts
}

func sortCounts(counts []Count) {
	slices.SortFunc(counts, func(a, b Count) int {
		return cmp.Or(-cmp.Compare(a.Severity, b.Severity), cmp.Compare(a.Code, b.Code))
	})
}

// codes returns the counts of all shards, added up.
func (s *Sum) codes() []Count {
	var all []Count
	for _, t := range s.shards {
		for _, c := range t.Codes {
			all = counted(all, c)
		}
	}
	sortCounts(all)
	return all
}
