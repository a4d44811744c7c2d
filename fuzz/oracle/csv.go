package oracle

// Records reads a canonical CSV: every value quoted, ; between values, LF after each row. It is not ok for any other.
func Records(text []byte) (records [][]string, ok bool) {
	var record []string
	for i := 0; i < len(text); {
		if text[i] != '"' {
			return nil, false
		}
		var value []byte
		for i++; ; i++ {
			if i+1 >= len(text) {
				return nil, false
			}
			if text[i] == '"' {
				if text[i+1] != '"' {
					break
				}
				i++
			}
			value = append(value, text[i])
		}
		record = append(record, string(value))
		switch text[i+1] {
		case ';':
		case '\n':
			records, record = append(records, record), nil
		default:
			return nil, false
		}
		i += 2
	}
	return records, record == nil
}
