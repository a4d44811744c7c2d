package report

func newMonths(s *sheet) form { return newTable(s) }
func newPage(s *sheet) form   { return newTable(s) }
