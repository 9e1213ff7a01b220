package engine

import "cmp"

// Pools are the maximum numbers of connections to PostgreSQL, for each kind of work. 0 means the
// default.
type Pools struct{ Writes, Lookups, Reads, Searches, Audits int }

// DefaultPools are the default sizes.
var DefaultPools = Pools{Writes: 16, Lookups: 4, Reads: 16, Searches: 4, Audits: 2}

// OrDefaults returns the sizes with the defaults filled in.
func (p Pools) OrDefaults() Pools {
	d := DefaultPools
	return Pools{cmp.Or(p.Writes, d.Writes), cmp.Or(p.Lookups, d.Lookups), cmp.Or(p.Reads, d.Reads), cmp.Or(p.Searches, d.Searches), cmp.Or(p.Audits, d.Audits)}
}

// Sum returns the maximum number of connections of a node.
func (p Pools) Sum() int {
	p = p.OrDefaults()
	return p.Writes + p.Lookups + p.Reads + p.Searches + p.Audits
}
