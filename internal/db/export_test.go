package db

// Waiting is how many lookups wait for the next query.
func (g *Gatherer[K, V]) Waiting() int {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	return len(g.waiting)
}
