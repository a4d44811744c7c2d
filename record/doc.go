// Package record reads and writes the JSON lines that the programs of this module exchange.
package record
