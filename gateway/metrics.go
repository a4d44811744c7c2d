package gateway

import (
	"strconv"
	"sync"
)

// metrics count what happened since the gateway was opened.
type metrics struct {
	mu                   sync.Mutex
	accepted             uint64
	refused              map[Reason]uint64
	charges, stops       uint64
	callbacks            uint64 // made
	delivered, attempted uint64 // attempts to deliver one
}

func (m *metrics) request(reason Reason) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if reason == "" {
		m.accepted++
		return
	}
	if m.refused == nil {
		m.refused = map[Reason]uint64{}
	}
	m.refused[reason]++
}

func (m *metrics) tally(t tally) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.charges += uint64(t.charges)
	m.stops += uint64(t.stops)
	m.callbacks += uint64(t.callbacks)
}

func (m *metrics) attempt(delivered bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.attempted++
	if delivered {
		m.delivered++
	}
}

// appendText appends the counters, and whether the store can be written, as Prometheus reads them.
func (m *metrics) appendText(dst []byte, writable bool) []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	kind := "counter"
	family := func(name, help string) {
		dst = append(dst, "# HELP "+name+" "+help+"\n# TYPE "+name+" "+kind+"\n"...)
	}
	sample := func(name string, n uint64) {
		dst = append(strconv.AppendUint(append(dst, name+" "...), n, 10), '\n')
	}
	family("chargecast_requests_total", "Create requests by status and reason.")
	sample(`chargecast_requests_total{status="200",reason=""}`, m.accepted)
	for _, reason := range Reasons() {
		sample(`chargecast_requests_total{status="403",reason="`+string(reason)+`"}`, m.refused[reason])
	}
	for _, c := range [...]struct {
		name, help string
		n          uint64
	}{
		{"chargecast_charges_total", "Attempts to charge.", m.charges},
		{"chargecast_stops_total", "Profiles that were stopped.", m.stops},
		{"chargecast_callbacks_total", "Callbacks that were made.", m.callbacks},
	} {
		family(c.name, c.help)
		sample(c.name, c.n)
	}
	family("chargecast_callback_attempts_total", "Attempts to deliver a callback by result.")
	sample(`chargecast_callback_attempts_total{result="delivered"}`, m.delivered)
	sample(`chargecast_callback_attempts_total{result="failed"}`, m.attempted-m.delivered)
	kind = "gauge"
	family("chargecast_store_writable", "1 if the store can be written, 0 while it refuses that, as on a full disk.")
	if writable {
		sample("chargecast_store_writable", 1)
	} else {
		sample("chargecast_store_writable", 0)
	}
	return dst
}
