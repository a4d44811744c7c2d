package signature

// memoBytes bounds what a memo keeps.
const memoBytes = 4 << 20

// A memo keeps encodings and forms of texts: candidates share most of them. The zero memo is empty.
type memo struct {
	texts map[memoKey]string
	size  int
}

// A memoKey is a text and what was done to it.
type memoKey struct {
	text string
	step memoStep
}

// A memoStep is an encoder, or a form of the payload behind the last encoder.
type memoStep uint16

const firstPayloadStep = memoStep(encodeLowerHex) + 1

// encode returns what the encoder makes of a text.
func (m *memo) encode(e encoder, text string) string {
	return m.do(memoKey{text, memoStep(e)}, func() string { return e.encode(text) })
}

// payload returns a form of a payload, and the payload itself if it has no such form.
func (m *memo) payload(f payloadForm, text string) string {
	return m.do(memoKey{text, firstPayloadStep + memoStep(f)}, func() string {
		if changed, ok := f.change(text); ok {
			return changed
		}
		return text
	})
}

func (m *memo) do(key memoKey, make func() string) string {
	if done, ok := m.texts[key]; ok {
		return done
	}
	done := make()
	if m.size+len(key.text)+len(done) > memoBytes {
		return done
	}
	m.size += len(key.text) + len(done)
	if m.texts == nil {
		m.texts = map[memoKey]string{}
	}
	m.texts[key] = done
	return done
}
