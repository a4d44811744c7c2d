package show

import (
	"bytes"
	"encoding/json"
)

// Marshal writes a request as one line, with < and > as they are.
func Marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b.Bytes(), err
}
