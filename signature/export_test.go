package signature

// HMACKey gives the tests the text of the key; users never see it.
func HMACKey(s *Secret) string { return s.wrongKey(keyRight) }
