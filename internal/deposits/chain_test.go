package deposits

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/deposits/helio"
	"kaibao/internal/deposits/solana"
	"kaibao/internal/deposits/solana/chaintest"
	"kaibao/internal/deposits/solprice"
	"kaibao/internal/ledger"
)

// scriptedProvider is a provider whose payments are set by the test.
type scriptedProvider struct {
	mutex       sync.Mutex
	chargeCount int
	payments    map[string]any // by token
}

// setPayment makes the provider report a payment on a deposit's charge.
func (p *scriptedProvider) setPayment(d Deposit, payment any) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.payments[d.ChargeToken] = payment
}

// ServeHTTP creates and returns charges.
func (p *scriptedProvider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if r.Method == http.MethodPost {
		p.chargeCount++
		_ = json.NewEncoder(w).Encode(map[string]any{"id": "id", "pageUrl": fmt.Sprint("https://pay.example/charge/token-", p.chargeCount)})
		return
	}
	token := strings.TrimPrefix(r.URL.Path, "/v1/charge/")
	_ = json.NewEncoder(w).Encode(map[string]any{"id": "id", "token": token, "paylinkTx": p.payments[token]})
}

// chainCase has the provider's report about a payment on the runtime, and the expected result.
type chainCase struct {
	payment, currency string
	status            helio.Status
	hasPrice          bool // has a USD price; USDC payments may do without
	state             State
	reason            Reason
}

var chainCases = []chainCase{
	{"SOL", "SOL", helio.Success, true, Credited, reasonCredited},
	{"split", "SOL", helio.Success, true, Credited, reasonCredited},
	{"through a lookup table", "SOL", helio.Settled, true, Credited, reasonCredited},
	{"one lamport short", "SOL", helio.Success, true, Review, reasonUnderpaid},
	{"to somebody else", "SOL", helio.Success, true, Rejected, reasonWrongRecipient},
	{"paid and taken back", "SOL", helio.Success, true, Rejected, reasonWrongRecipient},
	{"failed", "SOL", helio.Failed, true, Rejected, reasonFailed},
	{"USDC", "USDC", helio.Success, true, Credited, reasonCredited},
	{"USDC split", "USDC", helio.Success, false, Credited, reasonCredited},
	{"USDC into two accounts, one of them new", "USDC", helio.Success, true, Credited, reasonCredited},
	{"USDC paid and taken back", "USDC", helio.Success, true, Rejected, reasonWrongRecipient},
	{"USDC that failed", "USDC", helio.Failed, true, Rejected, reasonFailed},
	{"another mint", "USDC", helio.Success, true, Rejected, reasonWrongRecipient},
	{"another token program", "USDC", helio.Success, true, Rejected, reasonWrongRecipient},
}

// providerJSON returns the payment in the provider's format.
func (c chainCase) providerJSON(chain chaintest.Chain) map[string]any {
	netUnits, fee := chaintest.Owed, int64(208_334)
	if c.currency == "USDC" {
		netUnits, fee = chaintest.Dollars, 250_000
	}
	meta := map[string]any{
		"amount": fmt.Sprint(netUnits), "totalAmount": fmt.Sprint(netUnits + fee), "senderPK": chain.Addresses["payer"], "recipientPK": chain.Addresses["merchant"],
		"transactionSignature": chain.Signatures[c.payment], "transactionStatus": c.status,
		"currency": map[string]any{"symbol": c.currency, "blockchain": map[string]any{"symbol": "SOL"}},
	}
	if c.hasPrice {
		meta["tokenQuote"] = map[string]any{"from": "USD", "fromAmountDecimal": "25.00", "to": c.currency, "toAmountMinimal": fmt.Sprint(netUnits + fee)}
	}
	id := strings.NewReplacer(" ", "-", ",", "").Replace(c.payment)
	return map[string]any{"id": id, "paylinkId": "link", "fee": fee, "createdAt": chaintest.At.Format(time.RFC3339), "meta": meta}
}

// newChainService returns a service for real payments that uses a scripted provider and a local chain.
func newChainService(t *testing.T, engine string, chain chaintest.Chain) (*Service, *scriptedProvider) {
	t.Helper()
	provider := &scriptedProvider{payments: map[string]any{}}
	server := httptest.NewServer(provider)
	t.Cleanup(server.Close)
	o := dbtest.Options(t, engine)
	o.Now = func() time.Time { return chaintest.At.Add(-time.Minute) }
	d := dbtest.Open(t, o)
	return &Service{
		DB: d, Name: "helio", Network: "solana", Price: &solprice.Cache{Now: d.Now},
		Provider: &helio.Client{URL: server.URL, PublicKey: "public", Secret: "secret", Paylink: "link"},
		Chain:    &solana.Client{URL: chain.URL},
		Merchant: Merchant{Treasury: chain.Addresses["merchant"], USDC: solana.USDC},
	}, provider
}

// createTestDeposit creates a deposit of 25 points for a new user.
func createTestDeposit(t *testing.T, s *Service) (d Deposit) {
	t.Helper()
	err := s.DB.InTx(t.Context(), func(tx *db.Tx) (err error) {
		user := tx.NewID()
		if _, err := tx.Exec(`INSERT INTO users (id, wallet_address, tag, tag_salt, created_at) VALUES ($1, $2, $2, $3, 0)`, user, user, []byte{}); err != nil {
			return err
		}
		if err := ledger.CreateAccount(tx, user, ledger.Seed{Commitment: []byte(user), Sealed: []byte{}}); err != nil {
			return err
		}
		d, err = s.createDeposit(tx, user, 25_00)
		return err
	})
	if err == nil {
		d, err = s.createCharge(t.Context(), d.ID)
	}
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func settleAndReload(t *testing.T, s *Service, d Deposit) (after Deposit, reason string) {
	t.Helper()
	after, err := s.Settle(t.Context(), d.ID)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.DB.Read(t.Context(), func(tx *db.Tx) error {
		all, err := loadEvents(tx, d.ID)
		reason = all[len(all)-1].Reason
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return after, reason
}

// Real transactions in SOL and USDC settle a deposit once they are final, according to their
// balance changes. A dropped transaction settles nothing.
func TestSettlesRuntimePayments(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			chain := chaintest.Start(t, "../../web")
			s, provider := newChainService(t, engine, chain)
			for _, c := range chainCases {
				d := createTestDeposit(t, s)
				provider.setPayment(d, c.providerJSON(chain))
				if now, _ := settleAndReload(t, s, d); now.State != Pending || !now.Confirming {
					t.Errorf("%s, not final: it is %s, confirming %t", c.payment, now.State, now.Confirming)
				}
				chain.SetState(t, "finalize", c.payment)
				if now, why := settleAndReload(t, s, d); now.State != c.state || why != string(c.reason) {
					t.Errorf("%s: the deposit is %s because of %s, want %s because of %s", c.payment, now.State, why, c.state, c.reason)
				}
				d2 := createTestDeposit(t, s)
				provider.setPayment(d2, c.providerJSON(chain))
				if now, why := settleAndReload(t, s, d2); c.state == Credited && (now.State != Review || why != string(reasonDuplicate)) {
					t.Errorf("%s, reported for another deposit: it is %s for %s", c.payment, now.State, why)
				}
			}
			dropped := createTestDeposit(t, s)
			provider.setPayment(dropped, chainCase{payment: "dropped", currency: "SOL", status: helio.Success, hasPrice: true}.providerJSON(chain))
			settleAndReload(t, s, dropped)
			chain.SetState(t, "drop", "dropped")
			if now, why := settleAndReload(t, s, dropped); now.State != Pending || now.Confirming || why != string(reasonSeen) {
				t.Errorf("dropped: it is %s for %s, confirming %t", now.State, why, now.Confirming)
			}
			if err := s.DB.Read(t.Context(), func(tx *db.Tx) error {
				breaches, err := Audit(tx)
				for _, b := range breaches {
					t.Errorf("%s: %s: %s", b.Rule, b.Row, b.Detail)
				}
				return err
			}); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// The interval doubles up to ten minutes.
func TestPollInterval(t *testing.T) {
	seconds := []int64{5, 10, 20, 40, 80, 160, 320, 600, 600}
	for polls, want := range seconds {
		if got := pollInterval(int64(polls)); got != time.Duration(want)*time.Second {
			t.Errorf("after %d polls the interval is %s, want %d s", polls, got, want)
		}
	}
	if got := pollInterval(1 << 40); got != 10*time.Minute {
		t.Errorf("after very many polls the interval is %s", got)
	}
}
