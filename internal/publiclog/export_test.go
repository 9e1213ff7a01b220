package publiclog

import "time"

// IsPublic is isPublic.
var IsPublic = isPublic

// TreatAsPublic makes the log treat the addresses of all witnesses as public ones.
func (l *Log) TreatAsPublic() { l.cosigning.public = func(string) bool { return true } }

// SetPatience changes how long QuorumReady waits for a new quorum.
func (l *Log) SetPatience(d time.Duration) { l.cosigning.patience = d }

// WaitForAll makes the log wait for the answers of all witnesses, however slow the machine is.
func (l *Log) WaitForAll() {
	l.cosigning.timeout, l.cosigning.late, l.cosigning.patience = time.Minute, time.Minute, time.Minute
}

// WaitForQuorum makes the log wait only for a quorum.
func (l *Log) WaitForQuorum() { l.cosigning.late = 0 }
