package index

import "time"

// PatientForTest makes the service wait for the database however slow the machine is.
func (s *Service) PatientForTest() *Service {
	s.patience = time.Hour
	return s
}
