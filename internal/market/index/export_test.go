package index

import "time"

// PatientForTest gives database queries of a lagging model an hour, so that slow machines pass.
func (s *Service) PatientForTest() *Service {
	s.searchTimeout = time.Hour
	return s
}
