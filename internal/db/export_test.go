package db

// Waiting is how many lookups wait for the next query.
func (g *Gatherer[K, V]) Waiting() int {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	return len(g.waiting)
}

// MaxPrepared is how many statements a SQLite connection keeps.
const MaxPrepared = maxPrepared

// Prepared is how many a transaction's connection has kept.
func Prepared(tx *Tx) int { return tx.conn.(*statements).prepared.Len() }
