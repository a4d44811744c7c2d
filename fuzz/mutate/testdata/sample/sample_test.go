package sample

import "testing"

func TestClamp(t *testing.T) {
	if Clamp(-5, 9) != 0 || Clamp(5, 9) != 5 || Clamp(15, 9) != 9 {
		t.Error("not between the bounds")
	}
}

func TestMinus(t *testing.T) {
	if Minus(3) != -3 {
		t.Error("not the negative")
	}
}

func TestCount(t *testing.T) {
	if Count("papaya", 'p') != 2 {
		t.Error("not the number of letters")
	}
}

func TestMask(t *testing.T) {
	if Mask(2) != 3 {
		t.Error("not the bits below")
	}
}

func TestTwice(t *testing.T) {
	if Twice("a") != "aa" || Power(0) != 1 || Power(1) != 2 {
		t.Error("not twice")
	}
}
