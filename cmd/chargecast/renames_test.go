package main

import (
	"testing"
)

// TestRenames: names are said one by one, or in a list by column, where names with commas are in quotes.
func TestRenames(t *testing.T) {
	var r renames
	for _, s := range []string{"Kundennr=client-orderid", " a=b = amount ", "amount-to=amount-to"} {
		if err := r.Set(s); err != nil {
			t.Error(err)
		}
	}
	if r.String() != "Kundennr=client-orderid,a=b=amount" {
		t.Error(r.String())
	}
	for _, s := range []string{"", "x", "=amount", "x=", "Kundennr=amount", "client-orderid=x", "x=Kundennr"} {
		if err := r.Set(s); err == nil || len(r) != 2 {
			t.Errorf("%q: %v", s, r)
		}
	}
	var c renames
	if err := c.setColumns(`profile=OrderNo,date='Value date',amount="Sum, ""net""",id=x=y`); err != nil || c.String() != `OrderNo=profile,Value date=date,Sum, "net"=amount,x=y=id` {
		t.Error(c.String(), err)
	}
	for _, s := range []string{"", "profile", "profile=", "profile='x", "profile='x'y", "=x", "profile=x,", "profile=x,date=x"} {
		c = nil
		if err := c.setColumns(s); err == nil {
			t.Errorf("%q: %v", s, c)
		}
	}
}
