package rules

// InChunks is o with so many workers, each of which takes so many bytes at a time.
func (o Options) InChunks(workers, size int) Options {
	o.Workers, o.chunk = workers, size
	return o
}
