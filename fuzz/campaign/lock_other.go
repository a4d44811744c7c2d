//go:build !unix || aix || solaris

package campaign

// lock keeps no other campaign out where directories cannot be locked.
func lock(string) (release func(), ok bool) { return func() {}, true }
