//go:build !race

package stencil_test

const raceEnabled = false
