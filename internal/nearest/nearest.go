// Package nearest finds the word that a mistyped one means.
package nearest

const longest = 64 // longer words resemble nothing

// Of returns the index of the candidate that a mistyped word means: the one of least
// distance, when that is unique. It is for hints; the word itself is never to be repeated.
func Of(word string, candidates []string) (index int, ok bool) {
	best, second := longest, longest
	for i, c := range candidates {
		d, near := Distance(word, c)
		switch {
		case !near:
		case d < best:
			best, second, index = d, best, i
		case d < second:
			second = d
		}
	}
	if best == second {
		return -1, false
	}
	return index, true
}

// Distance returns the edit distance of a mistyped word and a candidate (insertions, deletions,
// replacements and swaps of neighbours, with case and the difference of - and _ left out); near
// reports whether it is small for the word's length and something of the word is left.
func Distance(word, candidate string) (d int, near bool) {
	if len(word) == 0 || len(word) > longest || len(candidate) > longest {
		return 0, false
	}
	far := max(1, len(word)/3)
	if len(candidate) > len(word)+far || len(candidate)+far < len(word) {
		return 0, false // the distance is not below the difference in length
	}
	d = distance(word, candidate)
	return d, d <= far && d < max(len(word), len(candidate))
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
