package laws

// An Impl is an implementation under test: a set of optional functions. A law that asks
// for one that is nil is not covered.
type Impl struct {
	Name string
	// Prompt promises that work does not grow with distance in time or number. An
	// implementation that walks by design leaves it false: laws about work are not
	// covered then, and most others ask about what can be walked to.
	Prompt bool
	// Steps returns how much work the implementation has done so far, counted by itself:
	// turns of its loops, for example. Nil means that it does not count; the laws about
	// work then judge by what can be seen from outside, such as the bytes allocated.
	Steps func() uint64
	// Replies returns how many questions the implementation has answered so far. With it a case
	// that asks nothing is not covered; nil means that every case counts, except those of a law without any
	// answer where something was refused.
	Replies func() uint64

	guarded bool // by Guarded

	CalendarImpl
	AmountImpl
	QuantileImpl
	EngineImpl
	CompareImpl
	PortfolioImpl
	MaskImpl
	SignatureImpl
	PayloadImpl
}

// Ours is chargecast itself.
func Ours() Impl {
	return Impl{
		Name:          "chargecast",
		Prompt:        true,
		CalendarImpl:  ourCalendar(),
		AmountImpl:    ourAmounts(),
		QuantileImpl:  ourQuantiles(),
		EngineImpl:    ourEngine(),
		CompareImpl:   ourCompare(),
		PortfolioImpl: ourPortfolios(),
		MaskImpl:      ourMask(),
		SignatureImpl: ourSignatures(),
		PayloadImpl:   ourPayloads(),
	}
}

// Reference is the slow oracle as an implementation: it passes every law that it covers.
// The functions that it shares with [Ours] are those that no oracle could write in
// another way.
func Reference() Impl {
	return Impl{
		Name:          "reference",
		CalendarImpl:  ReferenceCalendar(),
		AmountImpl:    ReferenceAmounts(),
		EngineImpl:    ReferenceEngine(rightRules()),
		PortfolioImpl: ReferencePortfolios(),
		SignatureImpl: referenceSignatures(),
	}
}
