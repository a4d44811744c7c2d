// Package endless has a mutant that loops.
package endless

// Below is how many numbers from 0 are below n.
func Below(n int) int {
	count := 0
	for i := 0; i < n; i++ {
		count++
	}
	return count
}
