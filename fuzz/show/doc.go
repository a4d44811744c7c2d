// Package show says how a case and a run look to people and machines: a [Counterexample] as a
// payload, or a request, with the command that shows the right answer; a [Report] as text, JSON and
// JUnit.
//
// Laws change what their case holds before they ask an implementation. So what is shown is what was
// asked: [Watch] lets a [Witness] remember the questions, and a [Question] writes a profile as a
// payload.
package show
