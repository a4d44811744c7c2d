// Package reconcile is about what really happened: which readings of the document charges that took place have
// shown ([ParseReadings]), and the smallest experiment that would show the others ([Probe]).
package reconcile
