package publiclog

// IsPublic is isPublic.
var IsPublic = isPublic

// TreatAsPublic makes the log treat the addresses of all witnesses as public ones.
func (l *Log) TreatAsPublic() { l.cosigning.public = func(string) bool { return true } }
