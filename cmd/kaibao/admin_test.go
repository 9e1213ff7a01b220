package main

import (
	"net/http"
	"testing"

	"kaibao/internal/app/apptest"
)

// In a shop with one admin, the server's operator can act as the second admin. The public books
// show how often.
func TestOperatorActsAsSecondAdmin(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin, user := s.Admin(t), s.SignIn(t)
		command := func(args ...string) []string { return append(append([]string{"admin"}, args...), storage(s)...) }
		wantOutput(t, 0, "no requests are waiting", command("approve")...)
		ask := func(path string, method string, body map[string]any) string {
			var asked struct{ Approval struct{ ID string } }
			admin.Call(t, method, path, body).Want(t, http.StatusOK, &asked)
			return asked.Approval.ID
		}
		give := func(amount int) string {
			return ask("/api/wallet/deposit/manual", http.MethodPost, map[string]any{"amount": amount, "walletAddress": user.Address, "reason": "a prize"})
		}
		credit := give(600)
		wantOutput(t, 0, credit, command("approve")...)
		wantOutput(t, 0, "amount: 600", command("approve")...)
		wantOutput(t, 1, "--reason", command("approve", credit)...)
		wantOutput(t, 0, "is approved", command("approve", credit, "--reason", "I saw the draw.")...)
		wantOutput(t, 1, "already approved", command("refuse", credit, "--reason", "No.")...)
		wantOutput(t, 0, "is refused", command("refuse", give(700), "--reason", "Too much.")...)
		value := ask("/api/admin/items/pkm-001", http.MethodPatch, map[string]any{"baseValueCents": 90_000, "source": "An auction", "reason": "It rose."})
		wantOutput(t, 0, "- baseValue: $900.00, from: $", command("approve")...)
		wantOutput(t, 0, "is approved", command("approve", value, "--reason", "I saw the sale.")...)
		if got := apptest.Get[struct{ BalanceCents int64 }](t, user, "/api/wallet").BalanceCents; got != 600_00 {
			t.Errorf("the user has %d", got)
		}
		if got := apptest.Get[struct{ ApprovedByCommand int64 }](t, user, "/api/books").ApprovedByCommand; got != 2 {
			t.Errorf("the books show %d approvals by command", got)
		}
		if paths := text(t, s, `SELECT MIN(path) || ', ' || MAX(path) FROM admin_acts WHERE act = 'decide-approval' AND user_id IS NULL`); paths != "kaibao admin approve, kaibao admin refuse" {
			t.Errorf("the admin log has the paths %q", paths)
		}
		s.WaitForLog(t)
		s.Audit(t)
	})
}
