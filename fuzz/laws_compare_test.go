package fuzz_test

import (
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz"
	"github.com/chargecast/chargecast/rules"
)

// The laws of comparing and masking reject what breaks them (G01).
func TestCompareAndMaskCanFail(t *testing.T) {
	ours := fuzz.Ours()
	for _, r := range []struct {
		reason, law string
		damage      func(*fuzz.Impl)
	}{
		{"names nothing", "Y12", func(i *fuzz.Impl) {
			i.CompareReadings = func(fuzz.Job, calendar.Date) ([]engine.Sensitivity, error) { return nil, nil }
		}},
		{"a day late", "Y12", func(i *fuzz.Impl) {
			i.CompareReadings = func(j fuzz.Job, until calendar.Date) ([]engine.Sensitivity, error) {
				list, err := ours.CompareReadings(j, until)
				for i := range list {
					list[i].First = list[i].First.AddDays(1)
				}
				return list, err
			}
		}},
		{"first eight shown", "K02", func(i *fuzz.Impl) {
			i.Mask = func(c rules.Column, s string) string {
				masked := ours.Mask(c, s)
				if len(s) > 8 && len(masked) == len(s) {
					return s[:8] + masked[8:]
				}
				return masked
			}
		}},
		{"nothing masked", "K02", func(i *fuzz.Impl) { i.Mask = func(_ rules.Column, s string) string { return s } }},
	} {
		impl := ours
		r.damage(&impl)
		if fuzz.Run(impl, fuzz.Options{Laws: []string{r.law}, Effort: 2000, Seed: 1, Shrinks: -1}).OK() {
			t.Errorf("%s: %s does not reject it", r.reason, r.law)
		}
	}
}
