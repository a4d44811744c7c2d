package gateway

import "maps"

func (t *memTx) Clear(login string) error {
	if err := t.writable(); err != nil {
		return err
	}
	t.replace(memState{login: login})
	return nil
}

func (t *memTx) SaveState(id ID, login string) error {
	if err := t.writable(); err != nil {
		return err
	}
	s := memState{
		login: login, clock: t.clock,
		merchants: t.merchants.copyOf(login), profiles: t.profiles.copyOf(login), charges: t.charges.copyOf(login),
		requests: t.requests.copyOf(login), callbacks: t.callbacks.copyOf(login), outcomes: t.outcomes.copyOf(login),
	}
	for n := range t.nonces {
		if login == "" || n.login == login {
			s.nonces = append(s.nonces, n)
		}
	}
	t.states[id] = s
	t.saved = append(t.saved, id)
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
	}
	t.memory.merchants.replace(s.login, s.merchants)
	t.replace(s)
	return nil
}

// replace replaces all but merchants and clock.
func (t *memTx) replace(s memState) {
	t.profiles.replace(s.login, s.profiles)
	t.charges.replace(s.login, s.charges)
	t.requests.replace(s.login, s.requests)
	t.callbacks.replace(s.login, s.callbacks)
	t.outcomes.replace(s.login, s.outcomes)
	if t.noncesBefore == nil {
		t.noncesBefore = t.nonces
	}
	t.nonces = maps.Clone(t.nonces)
	maps.DeleteFunc(t.nonces, func(n nonce, _ struct{}) bool { return s.login == "" || n.login == s.login })
	for _, n := range s.nonces {
		t.nonces[n] = struct{}{}
	}
}
