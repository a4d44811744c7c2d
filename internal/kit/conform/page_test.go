package conform_test

import (
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/internal/kit/laws"
)

const page = "../../../docs/conform-protocol.md"

// TestQuestionsOfThePage: the page has one real question of each operation with its real answer, and names every member
// that a question can have.
func TestQuestionsOfThePage(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(text), "\n```json questions\n")
	block, _, found := strings.Cut(after, "\n```")
	if !found {
		t.Fatal("the page has no block of questions")
	}
	left := slices.Concat(allOps, []string{"hello"})
	lines := strings.Split(block, "\n")
	for i := 0; i+1 < len(lines); i += 2 {
		var q asked
		if err := json.Unmarshal([]byte(lines[i]), &q); err != nil {
			t.Fatalf("%s: %v", lines[i], err)
		}
		left = slices.DeleteFunc(left, func(op string) bool { return op == q.Op })
		var want map[string]any
		if err := json.Unmarshal([]byte(lines[i+1]), &want); err != nil {
			t.Fatalf("%s: %v", lines[i+1], err)
		}
		reply, err := answered(q, laws.Ours())
		if err != nil {
			t.Fatalf("%s: %v", lines[i], err)
		}
		reply["id"] = q.ID
		actual, err := json.Marshal(reply)
		if err != nil {
			t.Fatal(err)
		}
		var got map[string]any
		if err := json.Unmarshal(actual, &got); err != nil {
			t.Fatal(err)
		}
		if q.Op != "hello" && !holds(got, want) {
			t.Errorf("%s\nis answered on the page\n%s\nand really\n%s", lines[i], lines[i+1], actual)
		}
	}
	if len(left) > 0 {
		t.Errorf("no question of %s", strings.Join(left, ", "))
	}
	for _, of := range []reflect.Type{reflect.TypeFor[asked](), reflect.TypeFor[oauth]()} {
		for field := range of.Fields() {
			name := field.Tag.Get("json")
			if !strings.Contains(string(text), "`"+name+"`") && name != "id" && name != "op" {
				t.Errorf("the page does not say what %s is", name)
			}
		}
	}
}

// holds reports whether a value has all that is wanted of it: members beyond that are allowed.
func holds(got, want any) bool {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		for name, value := range w {
			ok = ok && holds(g[name], value)
		}
		return ok
	case []any:
		g, ok := got.([]any)
		return ok && slices.EqualFunc(g, w, holds)
	}
	return reflect.DeepEqual(got, want)
}
