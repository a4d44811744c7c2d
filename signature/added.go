package signature

import (
	"slices"
	"strconv"
	"strings"
)

const idParameterAdded = "parameter-added"

// The most parameters that are left out one by one, and the most bytes that this may sign: the work
// grows with the square of their number.
const (
	mostAdded      = 256
	mostAddedBytes = 16 << 20
)

// groupNames are the words for where a parameter was collected.
var groupNames = [...]string{groupBody: "body", groupOAuth: "Authorization header", groupQuery: "query"}

// collected returns how many parameters of a group there are, in which order they are numbered from 1
// by paramRecipe.added.
func (m *material) collected() [3]int {
	return [...]int{groupBody: len(m.body), groupOAuth: len(m.oauth), groupQuery: len(m.query)}
}

// runAdded tries the request without each of its parameters in turn: one that was added after signing.
// It is for requests that no other single mistake explains, most of which leave out parameters too, and
// in no pair: with few parameters a pair of them would explain too much. It reports why if it is not
// done.
func (s *search) runAdded(size int) (notTried string) {
	counts := s.m.collected()
	all := counts[0] + counts[1] + counts[2]
	if all > mostAdded || size > mostAddedBytes/max(all, 1) {
		return idParameterAdded + ": the request has " + strconv.Itoa(all) + " parameters and " + strconv.Itoa(size) + " bytes"
	}
	if !slices.Contains(s.judge.sizes(), 0) {
		return ""
	}
	index := slices.IndexFunc(s.mistakes, func(m Mistake) bool { return m.ID == idParameterAdded })
	for n := range all {
		if s.err = s.ctx.Err(); s.err != nil {
			return ""
		}
		var r recipe
		r.params.added = n + 1
		s.third = s.m.appendThird(s.third[:0], &r.params)
		s.try(&r, picked{}.with(index), 0)
	}
	return ""
}

// without removes the parameter that a recipe takes for added from those of one group.
func (m *material) without(r *paramRecipe, g group, items []item) []item {
	n, counts := r.added-1, m.collected()
	for _, count := range counts[:g] {
		n -= count
	}
	if n < 0 || n >= len(items) {
		return items
	}
	return slices.Delete(slices.Clone(items), n, n+1)
}

// addedName says which parameter a recipe takes for added. A name is shown only where it is one of
// letters: another may be part of what was sent in a wrong form.
func (m *material) addedName(r *paramRecipe) string {
	n := r.added - 1
	oauth := make([]item, len(m.oauth))
	for i := range m.oauth {
		oauth[i] = item{raw: m.oauth[i], place: m.places[i]}
	}
	for g, list := range [...][]item{groupBody: m.body, groupOAuth: oauth, groupQuery: m.query} {
		if n < len(list) {
			name, where := list[n].raw.Name, "parameter "+strconv.Itoa(list[n].place)+" of the "+groupNames[g]
			if isWord(name) {
				return name + ", " + where
			}
			return where
		}
		n -= len(list)
	}
	return ""
}

// isWord reports whether a name has letters, hyphens and underscores alone, and not many.
func isWord(name string) bool {
	const longest = 24
	return name != "" && len(name) <= longest && strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz-_") == ""
}
