// Package nearest finds the word that a mistyped one means.
package nearest

// Of returns the index of the candidate that a mistyped word means: the one of least edit
// distance (insertions, deletions, replacements and swaps of neighbours, with case and
// the difference of - and _ left out), when that is unique and small for the word's
// length. It is for hints; the word itself is never to be repeated.
func Of(word string, candidates []string) (index int, ok bool) {
	const longest = 64 // longer words resemble nothing
	if len(word) == 0 || len(word) > longest {
		return -1, false
	}
	far := max(1, len(word)/3)
	best, second := longest, longest
	for i, c := range candidates {
		if len(c) > len(word)+far || len(c)+far < len(word) || len(c) > longest {
			continue // further than far: the distance is not below the difference in length
		}
		switch d := distance(word, c); {
		case d < best:
			best, second, index = d, best, i
		case d < second:
			second = d
		}
	}
	if best == second || best > far {
		return -1, false
	}
	return index, true
}

// distance is the edit distance of a and b in bytes, case and dashes folded, swaps of
// neighbours counted as one; both are at most 64 bytes long.
func distance(a, b string) int {
	var rows [3][65]int
	before, last, now := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		now[0] = i
		for j := 1; j <= len(b); j++ {
			x, y := fold(a[i-1]), fold(b[j-1])
			cost := 1
			if x == y {
				cost = 0
			}
			now[j] = min(last[j]+1, now[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && x == fold(b[j-2]) && fold(a[i-2]) == y {
				now[j] = min(now[j], before[j-2]+1)
			}
		}
		before, last, now = last, now, before
	}
	return last[len(b)]
}

func fold(c byte) byte {
	switch {
	case 'A' <= c && c <= 'Z':
		return c + 'a' - 'A'
	case c == '_' || c == ' ':
		return '-'
	}
	return c
}
