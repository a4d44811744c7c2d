package veil_test

import (
	"fmt"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chargecast/chargecast/internal/veil"
)

// TestPointer: neither package fmt nor a walk by reflection comes to what is behind the veil, which can be reached.
func TestPointer(t *testing.T) {
	type kept struct {
		value  string
		beside atomic.Pointer[string]
	}
	k := &kept{value: "unseen"}
	it := struct{ way veil.Pointer[string] }{veil.Over(&k.value, &k.beside)}
	for _, verb := range "vTtbcdoOqxXUeEfFgGsp" {
		for _, flags := range []string{"", "+", "#"} {
			if printed := fmt.Sprintf("%"+flags+string(verb), it); strings.Contains(printed, "unseen") || strings.Contains(printed, "756e7365656e") {
				t.Errorf("%%%s%c prints %s", flags, verb, printed)
			}
		}
	}
	v := reflect.ValueOf(it)
	for v.Kind() != reflect.UnsafePointer { // which has no type to go on with
		switch v.Kind() {
		case reflect.Struct:
			v = v.Field(v.NumField() - 1)
		case reflect.Pointer:
			v = v.Elem()
		default:
			t.Fatalf("the walk comes to a %s", v.Kind())
		}
	}
	if got := it.way.Value(); got == nil || *got != "unseen" {
		t.Error("the value cannot be reached")
	}
	if (veil.Pointer[string]{}).Value() != nil {
		t.Error("the zero Pointer leads to something")
	}
}
