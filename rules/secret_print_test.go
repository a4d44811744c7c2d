package rules

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"log/slog"
	"reflect"
	"strings"
	"testing"
	"text/template"
)

// A Row, or a Cell of it, in an unexported field of another type was printed with the card number and cvv2 by %s, %q,
// %t, %U and %e, and by every package that prints whole structures with reflection: methods that mask are not called
// there, and pointers are followed.
func TestRowsHideCardsWhateverPrintsThem(t *testing.T) {
	const card, cvv = "4111111111111111", "987"
	text := document(source(values{ColumnCardNumber: card, ColumnCVV2: cvv}), source(values{ColumnOrderID: "order-2", ColumnCardNumber: card, ColumnCVV2: cvv}))
	var rows []*Row
	for row, ps := range NewReader(strings.NewReader(text), options()).Rows() {
		if row == nil {
			t.Fatal(ps)
		}
		rows = append(rows, row)
	}
	type own struct {
		row   *Row
		value Row
		cell  Cell
		Cell  Cell
		all   map[string]any
	}
	it := own{rows[0], *rows[0], rows[0].Cell(ColumnCardNumber), rows[1].Cell(ColumnCVV2), map[string]any{"a": rows[1], "b": rows[1].Cell(ColumnCVV2)}}
	check := func(how, printed string) {
		t.Helper()
		if strings.Contains(printed, card) || strings.Contains(printed, card[6:12]) || strings.Contains(printed, cvv) {
			t.Errorf("%s shows %s", how, printed)
		}
	}
	for _, verb := range "vTtbcdoOqxXUeEfFgGsp" {
		for _, flags := range []string{"", "+", "#", " ", "0", "+#"} {
			format := "%" + flags + string(verb)
			for _, v := range []any{it, &it, rows[0], *rows[0], it.cell, []Cell{it.cell}, [][]*Row{rows}} {
				if verb != 'p' && verb != 'x' && verb != 'X' && verb != 'd' && verb != 'o' && verb != 'O' && verb != 'b' { // those print addresses
					check(format, fmt.Sprintf(format, v))
				} else if printed := fmt.Sprintf(format, v); strings.Contains(printed, card) {
					t.Errorf("%s shows %s", format, printed)
				}
			}
		}
	}
	var walked strings.Builder
	reflected(&walked, reflect.ValueOf(it), map[any]bool{})
	check("a walk by reflection", walked.String())
	if !strings.Contains(walked.String(), "order-2") {
		t.Error("the walk sees nothing")
	}
	var b bytes.Buffer
	for _, v := range []any{rows[0], it.Cell, []any{*rows[0], it.cell}} {
		if err := json.NewEncoder(&b).Encode(v); err != nil {
			t.Error(err)
		}
		if err := gob.NewEncoder(&b).Encode(v); err != nil && !strings.Contains(err.Error(), "gob: type") {
			t.Error(err)
		}
		slog.New(slog.NewTextHandler(&b, nil)).Info("", "it", v)
		slog.New(slog.NewJSONHandler(&b, nil)).Info("", "it", v)
		if err := template.Must(template.New("").Parse(`{{.}} {{printf "%s %q %+v %#v" . . . .}}`)).Execute(&b, v); err != nil {
			t.Error(err)
		}
	}
	check("json, gob, slog or template", b.String())
	if got := rows[1].Cell(ColumnCVV2).Reveal(); got != cvv {
		t.Errorf("cvv2 is %q for who asks for it", got)
	}
}

// reflected prints all that can be reached from v, as packages do that print whole structures.
func reflected(b *strings.Builder, v reflect.Value, seen map[any]bool) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			if v.Kind() == reflect.Pointer {
				at := [2]any{v.Pointer(), v.Type()}
				if seen[at] {
					return
				}
				seen[at] = true
			}
			reflected(b, v.Elem(), seen)
		}
	case reflect.Struct:
		for _, field := range v.Fields() {
			reflected(b, field, seen)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			reflected(b, v.Index(i), seen)
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			reflected(b, v.MapIndex(k), seen)
		}
	case reflect.String:
		b.WriteString(v.String() + "\n")
	}
}
