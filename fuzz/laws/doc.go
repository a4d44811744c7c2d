// Package laws says what a law is, makes its cases and judges them. The laws themselves are in the
// packages below, a group a file: values, profiles, payloads and signing. Each has one function,
// Laws.
//
// A law is added in ten lines: a row in the table of its group, and a function that reports to [T]
// what breaks it.
package laws
