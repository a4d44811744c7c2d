package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"unicode/utf8"
)

// columns are the heads of the table. All but the last have the width of what can stand
// in them, so that a row is printed as soon as it is known.
var columns = [...]string{"id", "ours", "against", "ratio", "goal", "possible", "spread", "verdict"}

// A table prints rows as they come in.
type table struct {
	w      io.Writer
	widths [len(columns)]int
	notes  []string
}

func newTable(w io.Writer, rows []row) *table {
	t := &table{w: w}
	for i, c := range columns {
		t.widths[i] = utf8.RuneCountInString(c)
	}
	for _, r := range rows {
		for i, cell := range [...]string{r.id, r.ours, r.mark(), "", r.goal.String(), r.possible} {
			t.widths[i] = max(t.widths[i], utf8.RuneCountInString(cell))
		}
	}
	t.widths[3] = max(t.widths[3], len("00000 %"))
	return t
}

// mark is the peer, with a sign where a note follows below the table.
func (r row) mark() string {
	if r.note == "" {
		return r.against
	}
	return r.against + " *"
}

func (t *table) head() { t.line(columns) }

func (t *table) row(r row, got result) {
	cells := [len(columns)]string{0: r.id, 1: r.ours, 2: r.mark(), 4: r.goal.String(), 5: r.possible, 7: string(got.verdict)}
	if got.verdict != notMeasured {
		cells[3] = r.goal.show(got.ratio)
	}
	if got.spread > 0 {
		cells[6] = short(got.spread)
	}
	t.line(cells)
	if note := r.against + ": " + r.note; r.note != "" && !slices.Contains(t.notes, note) {
		t.notes = append(t.notes, note)
	}
}

func (t *table) line(cells [len(columns)]string) {
	var b strings.Builder
	for i, cell := range cells {
		pad := strings.Repeat(" ", max(0, t.widths[i]-utf8.RuneCountInString(cell)))
		switch i {
		case len(cells) - 1:
			b.WriteString(cell)
		case 3, 6: // numbers
			b.WriteString(pad + cell + "  ")
		default:
			b.WriteString(cell + pad + "  ")
		}
	}
	fmt.Fprintln(t.w, b.String())
}

func (t *table) foot() {
	for _, n := range t.notes {
		fmt.Fprintln(t.w, "*", n)
	}
}

// describe names what the figures depend on: the compiler, the machine and the peers.
func describe(w io.Writer, rounds int) {
	fmt.Fprintf(w, "%s %s/%s, %s, %d cores; minimum of %d rounds\n",
		runtime.Version(), runtime.GOOS, runtime.GOARCH, processor(), runtime.NumCPU(), rounds)
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return
	}
	var peers []string
	for _, dep := range info.Deps {
		if dep.Replace == nil && !strings.HasPrefix(dep.Path, "golang.org/x/") {
			peers = append(peers, strings.TrimPrefix(dep.Path, "github.com/")+" "+dep.Version)
		}
	}
	fmt.Fprintln(w, "peers:", strings.Join(peers, ", "))
}

// processor is the model of the first processor, where the system tells.
func processor() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return "unknown processor"
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if name, model, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(model)
		}
	}
	return "unknown processor"
}
