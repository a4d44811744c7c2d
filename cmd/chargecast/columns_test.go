package main

import "testing"

// TestRenames: names are given in a list by column, where names with commas are in quotes.
func TestRenames(t *testing.T) {
	var c renames
	if err := c.setColumns(`profile=OrderNo,date='Value date',amount="Sum, ""net""",id=x=y`); err != nil || c.String() != `profile=OrderNo,date=Value date,amount=Sum, "net",id=x=y` {
		t.Error(c.String(), err)
	}
	for _, s := range []string{"", "profile", "profile=", "profile='x", "profile='x'y", "=x", "profile=x,", "profile=x,date=x"} {
		c = nil
		if err := c.setColumns(s); err == nil {
			t.Errorf("%q: %v", s, c)
		}
	}
}
