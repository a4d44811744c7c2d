//go:build race

package stencil_test

const raceEnabled = true
