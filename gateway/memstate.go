package gateway

import "maps"

func (t *memTx) Clear(login string) error {
	if err := t.writable(); err != nil {
		return err
	}
	t.replace(memState{login: login}, login == "" && len(t.states) > 0)
	return nil
}

func (t *memTx) SaveState(id ID, login string) error {
	if err := t.writable(); err != nil {
		return err
	}
	t.states[id] = memState{
		login: login, clock: t.clock,
		merchants: t.merchants.copyOf(login), profiles: t.profiles.copyOf(login), charges: t.charges.copyOf(login),
		requests: t.requests.copyOf(login), callbacks: t.callbacks.copyOf(login), outcomes: t.outcomes.copyOf(login),
		faults: t.faults.copyOf(login), nonces: t.nonces.copyOf(login),
	}
	t.saved = append(t.saved, id)
	return nil
}

func (t *memTx) DropState(id ID) error {
	if err := t.writable(); err != nil {
		return err
	}
	if s, ok := t.states[id]; ok {
		if t.dropped == nil {
			t.dropped = map[ID]memState{}
		}
		t.dropped[id] = s
		delete(t.states, id)
	}
	return nil
}

func (t *memTx) RestoreState(id ID) error {
	if err := t.writable(); err != nil {
		return err
	}
	s, ok := t.states[id]
	if !ok {
		return found(NotFound, "", "")
	}
	if s.login == "" {
		s.clock.Epoch = t.clock.Epoch
		t.clock = s.clock
		for _, o := range t.states {
			if o.login != "" {
				s.floor(&o)
			}
		}
	}
	t.memory.merchants.replace(s.login, s.merchants, false)
	t.replace(s, false)
	return nil
}

// floor lets no id begin again that the state of a merchant has.
func (s *memState) floor(o *memState) {
	s.merchants.last = max(s.merchants.last, o.merchants.last)
	s.profiles.last = max(s.profiles.last, o.profiles.last)
	s.charges.last = max(s.charges.last, o.charges.last)
	s.requests.last = max(s.requests.last, o.requests.last)
	s.callbacks.last = max(s.callbacks.last, o.callbacks.last)
	s.outcomes.last = max(s.outcomes.last, o.outcomes.last)
	s.faults.last = max(s.faults.last, o.faults.last)
}

// replace replaces all but merchants and clock, and with onward leaves the next ids alone.
func (t *memTx) replace(s memState, onward bool) {
	t.profiles.replace(s.login, s.profiles, onward)
	t.charges.replace(s.login, s.charges, onward)
	t.requests.replace(s.login, s.requests, onward)
	t.callbacks.replace(s.login, s.callbacks, onward)
	t.outcomes.replace(s.login, s.outcomes, onward)
	t.faults.replace(s.login, s.faults, onward)
	if t.noncesBefore == nil {
		t.noncesBefore = t.nonces
	}
	t.nonces = t.nonces.copyOf("")
	maps.DeleteFunc(t.nonces, func(login string, _ nonceUses) bool { return s.login == "" || login == s.login })
	maps.Copy(t.nonces, s.nonces.copyOf(""))
}
