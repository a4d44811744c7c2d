//go:build race

package oauthhttp_test

const raceEnabled = true
