package laws

// The stage oracle makes a signature stage by stage with plain loops. It shares no code
// with package signature.
