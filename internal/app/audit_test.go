package app_test

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"kaibao/internal/app"
	"kaibao/internal/app/apptest"
	"kaibao/internal/audit"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/publicbooks"
)

// row is a row of the world's database, and the text by which a breach identifies it.
type row struct{ where, reported string }

// corruption changes one column of a row directly in the database.
type corruption struct {
	row
	column      string   // table.column
	set         string   // the new value, an SQL expression
	arg         any      // $1 of set
	preparation []string // statements to run first; they must not cause a breach about the row
	refused     bool     // the database refuses the change
	dangling    bool     // a dangling reference; only SQLite refuses it
}

func (r row) with(column, set string, arg ...any) corruption {
	c := corruption{row: r, column: column, set: set}
	if len(arg) > 0 {
		c.arg = arg[0]
	}
	return c
}

// reportedBy changes the text by which a breach identifies the row.
func (c corruption) reportedBy(text string) corruption {
	c.reported = text
	return c
}

func (r row) reportedAs(text string) row { return row{r.where, text} }

func (c corruption) preparedBy(statements ...string) corruption {
	c.preparation = statements
	return c
}

// immutable is a change that the database refuses.
func (r row) immutable(column string) corruption {
	return corruption{row: r, column: column, set: "'9'", refused: true}
}

// dangling is a change that leaves a dangling reference.
func (r row) dangling(column, set string, arg ...any) corruption {
	c := r.with(column, set, arg...)
	c.dangling = true
	return c
}

// unaudited has the columns that the audit doesn't check, with the reasons.
var unaudited = map[string]string{
	"orders.sealed_seed":   "encrypted with the seed key, which is not in the database; a draw refuses a seed that does not match its commitment",
	"accounts.sealed_seed": "encrypted with the seed key, which is not in the database; an open refuses a seed that does not match its commitment",
	"inventory.id":         "an id that nothing refers to before the first event of the entry, and events are audited",
	"transfers.id":         "an id that nothing else refers to",
	"log_waiting.seq":      "the order in which leaves will be sequenced; `verify log` proves that it preserves the order of each user and pack",
	"log_tree.signed_at":   "when the checkpoint was signed; no rule depends on it",

	"log_witnesses.url":       "an operator's choice",
	"log_cosigned.arrived_at": "when a node had the quorum; the cosignatures have times of their own",
	"log_submitter":           "which node submits checkpoints at the moment",

	"solo_acts.number":   "an id that nothing else refers to",
	"solo_acts.in_total": "whether it is from before the daily total existed; later ones are summed",

	"deposits.confirming":        "progress of a pending payment",
	"deposits.charge_token":      "the provider's id of the charge; its answers are compared with the chain",
	"deposits.sol_price_cents":   "an estimate that was displayed",
	"deposits.price_is_fallback": "an estimate that was displayed",
	"deposits.expires_at":        "payment deadline; its events say what was late",
	"deposits.looks":             "schedule of the next check",
	"deposits.next_look_at":      "schedule of the next check",
	"deposit_events.reason":      "a message for its user",
	"payment_notices":            "triggers for checks; they credit nothing",

	"packs.position":                    "display order of the store",
	"packs.name":                        packInput,
	"packs.name_zh":                     packInput,
	"packs.description_en":              packInput,
	"packs.description_zh":              packInput,
	"packs.series":                      packInput,
	"packs.price_cents":                 packInput,
	"packs.cover_image_url":             packInput,
	"packs.items_per_pack":              packInput,
	"packs.is_active":                   "an operator's choice",
	"packs.is_new":                      packInput,
	"packs.is_demo":                     packInput,
	"packs.listed_expected_value_cents": packInput,
	"packs.odds_unit":                   packInput,
	"packs.definition":                  packInput,
	"packs.accepted_loss_cents":         "an operator's choice, recorded in the admin log",
	"packs.created_at":                  "no rule depends on it",
	"packs.publishing_since":            "a publication that waits; it announces what is saved",
	"waiting_restocks":                  "input for the next manifest, which states the stock in the log",

	"items.id":           adminsDescription,
	"items.series":       adminsDescription,
	"items.name":         adminsDescription,
	"items.search":       adminsDescription,
	"items.rarity":       adminsDescription,
	"items.grade_tenths": adminsDescription,
	"items.grader":       adminsDescription,
	"items.cert_number":  adminsDescription,
	"items.set_name":     adminsDescription,
	"items.set_number":   adminsDescription,
	"items.image_url":    adminsDescription,
	"items.is_active":    adminsDescription,
	"items.created_at":   "no rule depends on it",
	"valuations.source":  adminsDescription,
	"valuations.reason":  adminsDescription,

	"inventory.lowest_bid_cents": "an owner's choice",
	"bids.id":                    "an id that nothing else refers to",
	"freezes.id":                 "an id that nothing else refers to",
	"bids.peg_percent":           usersChoice,
	"bids.quantity":              usersChoice,
	"bids.place":                 "priority at a price",
	"bids.created_at":            "no rule depends on it",
	"bids.expires_at":            usersChoice,
	"bids.ended_at":              "no rule depends on it",
	"bids.warned":                "which warnings were sent",
	"bids.counter_cents":         "a counter-offer, which becomes a trade when it is accepted",
	"bids.counter_by":            "a counter-offer, which becomes a trade when it is accepted",
	"bids.counter_at":            "a counter-offer, which becomes a trade when it is accepted",
	"declined_bids":              "a counter of declined bids",
	"events_waiting":             "notifications of changes that are audited elsewhere",
	"market_events":              "notifications of changes that are audited elsewhere",
	"market_readers":             "reading positions",
	"market_digests":             "pending notifications",

	"data_challenges":        "unsigned challenges",
	"data_exports":           "permissions to download an export",
	"kept_limits":            "limits of deleted users, which nothing else has",
	"key_uses":               "a node refuses to start without the keys that it names, and can't decrypt with others",
	"nodes":                  "which nodes run at the moment",
	"inherited_counters":     "corrupted in the tests of package limits",
	"settings":               "keys and settings pinned at the first start",
	"pictures":               "cached copies of external pictures",
	"users":                  "profiles; the tags are proved with the leaves, and handles are corrupted in the tests of package identity",
	"handle_reservations":    "corrupted in the tests of package identity",
	"user_notes":             "admins' notes",
	"challenges":             "pending sign-ins",
	"sessions":               "active sessions",
	"alerts":                 "notifications to users",
	"alert_marks":            "read markers",
	"proven_lines":           "only used by incremental audits; a full audit ignores it",
	"watches":                "notification settings",
	"saved_searches":         "notification settings",
	"shared_pulls.language":  "a user's choice",
	"claim_challenges":       "unsigned challenges",
	"gift_challenges":        "unsigned challenges",
	"gift_blocks":            "a user's choice, which only decides what the user is offered",
	"claim_addresses.key_id": "encrypted with a key that is not in the database; a node refuses to start without it",
	"claim_addresses.sealed": "authenticated encryption; a changed one is refused when it is read",
	"idempotency":            "responses kept for a week",
	"limit_acts.created_at":  "corrupted in the tests of package limits",
	"standings":              "corrupted in the tests of package leaderboard",
	"leaders":                "corrupted in the tests of package leaderboard",
	"standing_counts":        "corrupted in the tests of package leaderboard",
	"sandbox_charges":        "state of the stand-in's payment provider and chain, which count as external",
	"beacon_rounds":          "a signature is verified before it is stored and again by whoever reads the log, which has those that drew",
	"sandbox_beacon":         "the stand-in for a beacon, which counts as external; manifests name its hash",
	"sandbox_webhooks":       "pending webhooks of the stand-in, which are never trusted by themselves",
	"goose_db_version":       "the migration tool's own table",
}

const adminsDescription = "an admin's description, recorded in the admin log; manifests have what was drawn"

const usersChoice = "chosen by its user, who has a signed receipt; its hold and payments are audited"

const packInput = "display and input for the next manifest; draws and prices follow the manifest"

func (w *world) corruptions() []corruption {
	other, another := make([]byte, 32), "'"+dbtest.ID("another")+"'"
	frozen := row{"user_id = '" + w.frozen + "'", "account " + w.frozen}
	inForce, ended := w.freeze("IS NULL"), w.freeze("IS NOT NULL")
	debitID := w.queryText(`SELECT id FROM debits`)
	debit := row{"id = '" + debitID + "'", "debit " + debitID}
	deposit, credited := row{"id = '" + w.deposit + "'", w.deposit}, row{"deposit_id = '" + w.deposit + "' AND state = 'credited'", w.deposit}
	payment := row{"deposit_id = '" + w.deposit + "'", w.deposit}
	opening := row{"id = '" + w.opening + "'", w.opening}
	entry, sold := row{"id = '" + w.entry + "'", w.entry}, row{"id = '" + w.sold + "'", w.sold}
	back, quoted := row{"id = '" + w.back + "'", w.back}, row{"trade_id = '" + w.back + "'", w.back}
	best := row{"pack_id = '' AND period = 'all'", `top pulls of pack "", period all`}
	event := row{"inventory_id = '" + w.back + "' AND number = 1", w.back}
	sale := row{"id = '" + w.sale + "'", w.sale}
	price := row{"kind = 'open' AND ref = '" + w.opening + "'", w.opening}
	priceLine := price.reportedAs(w.queryText(`SELECT id FROM transfers WHERE ` + price.where))
	credit := row{"kind = 'admin-credit' AND amount_cents = 7000", w.credit}
	creditLine := credit.reportedAs(w.queryText(`SELECT id FROM transfers WHERE ` + credit.where))
	valuation := row{"item_id = '" + w.valued + "' AND number = 2", w.valued}
	claim, item := row{"id = '" + w.claim + "'", w.claim}, row{"claim_id = '" + w.claim + "' AND position = 0", w.claim}
	step := row{"claim_id = '" + w.claim + "' AND number = 2", w.claim}
	shipped := row{"claim_id = '" + w.claim + "' AND act = 'ship'", w.claim}
	address, waitingAddress := row{"claim_id = '" + w.claim + "'", w.claim}, row{"claim_id = '" + w.waiting + "'", w.waiting}
	loss := row{"kind = 'loss-refund'", w.claim}
	gift, offered, linked := row{"id = '" + w.gift + "'", w.gift}, row{"id = '" + w.offered + "'", w.offered}, row{"id = '" + w.linked + "'", w.linked}
	given := row{"gift_id = '" + w.gift + "'", w.gift}
	shared, showcase := row{"opening_id = '" + w.shared + "'", "shared open " + w.shared}, row{"user_id = '" + w.ann + "'", "showcase of " + w.ann}
	act := row{"id = '" + w.credit + "'", w.credit}
	// acts by one admin, each identified by its subject
	soloCredit, soloRaise, soloRefund := row{"road = 'credit'", w.credit}, row{"road = 'value'", w.valued}, row{"road = 'refund'", w.claim}
	approval := row{"id = '" + w.approval + "'", "approval "}
	rates := row{"number = 1", "rates"}
	account := row{"user_id = '" + w.ben + "'", w.ben}
	limitChange := row{"user_id = '" + w.ben + "' AND number = 1", w.ben}
	bid := row{"id = '" + w.bid + "'", w.ben}
	stock := row{"item_id = '" + w.toy + "'", w.toy}
	scarce, finite := row{"id = '" + w.scarce + "'", "pack " + w.scarce}, row{"id = '8'", "pack 8"}
	counter := row{"name = 'draws'", w.manifest}
	ofOpening := "(SELECT manifest_hash FROM openings WHERE id = '" + w.opening + "')"
	manifest, drawn := row{"hash = " + ofOpening, w.manifest}, row{"manifest_hash = " + ofOpening, w.manifest}
	publication := row{"pack_id = '8'", "of pack 8"}
	leaves := row{"newest >= '" + w.opening + "' AND oldest <= '" + w.opening + "'", "leaf"}
	waitingLeaf := row{"body = 'kaibao-commit/v1\n'", w.opening}
	books, bookItem := row{"day = (SELECT MAX(day) FROM book_days)", "books "}, row{"item_id = '" + w.toy + "'", "item " + w.toy}
	order := row{"id = '" + w.order + "'", w.order}
	waitingReturn := row{"pack_id = '8'", "a waiting return must be in the log"}
	toReturn := w.returnLater()
	tree, tile := row{"epoch = 1", "the stored log must be the Merkle tree"}, row{"level = 0", "tile 0/0"}
	policy, cosigned := row{"TRUE", "of the log's witnesses"}, row{"quorum_at = (SELECT MAX(quorum_at) FROM log_cosigned)", "cosigned checkpoint"}
	return []corruption{
		order.with("orders.id", another),
		order.with("orders.user_id", "'"+w.ben+"'"),
		order.dangling("orders.pack_id", "'9'"),
		order.dangling("orders.manifest_hash", "$1", other),
		order.with("orders.nonce", "nonce + 100"),
		order.with("orders.commitment", "$1", other),
		order.with("orders.next_commitment", "$1", other),
		order.with("orders.client_seed", "$1", other),
		order.with("orders.price_cents", "price_cents + 1"),
		order.with("orders.items", "items + 1"),
		order.with("orders.draw_seq", "draw_seq + 1"),
		order.with("orders.beacon", "$1", other),
		order.with("orders.round", "round + 1"),
		order.with("orders.created_at", "created_at + 1"),
		order.immutable("orders.state"),
		order.with("orders.settled_at", "settled_at + 1"),
		order.with("orders.signature", "$1", other),
		order.immutable("orders.void_reason"),
		order.immutable("orders.void_seed"),
		waitingReturn.with("waiting_returns.pack_id", "'7'").reportedBy("stock").preparedBy(toReturn...),
		waitingReturn.with("waiting_returns.draw_seq", "draw_seq + 100").preparedBy(toReturn...),
		waitingReturn.with("waiting_returns.item_id", "'pkm-001'").preparedBy(toReturn...),
		opening.dangling("openings.id", another),
		opening.with("openings.user_id", "'"+w.ben+"'"),
		opening.reportedAs("opening "+w.opening+": the leaf has").dangling("openings.user_id", another),
		opening.dangling("openings.pack_id", "'9'"),
		opening.dangling("openings.manifest_hash", "$1", other),
		opening.with("openings.manifest_hash", "(SELECT hash FROM manifests WHERE body = 'other')").
			preparedBy(`INSERT INTO manifests (hash, pack_id, body) SELECT root, 'demo-pack-1', 'other' FROM log_tree`),
		opening.with("openings.nonce", "nonce + 100"),
		opening.with("openings.next_commitment", "$1", other),
		opening.with("openings.server_seed", "$1", other),
		opening.with("openings.client_seed", "$1", other),
		opening.with("openings.price_cents", "price_cents + 1"),
		opening.with("openings.total_value_cents", "total_value_cents + 1"),
		opening.with("openings.draw_seq", "draw_seq + 1"),
		opening.with("openings.created_at", "created_at + 1"),

		bid.with("bids.user_id", "'"+w.idle+"'"),
		bid.reportedAs("color=red").with("bids.scope", "'color=red'"),
		bid.with("bids.price_cents", "price_cents + 100"),
		bid.with("bids.remaining", "2").preparedBy("UPDATE bids SET quantity = 2 WHERE " + bid.where),
		bid.reportedAs("bid "+w.bid).with("bids.hold", another),
		{row: bid, column: "bids.state", set: "'withdrawn'", refused: true},
		account.with("accounts.in_bids_cents", "in_bids_cents + 1"),

		entry.with("inventory.user_id", "'"+w.ben+"'"),
		sold.with("inventory.user_id", "'"+w.ann+"'"),
		entry.reportedAs(w.opening).with("inventory.item_id", "(SELECT id FROM items ORDER BY base_value_cents DESC, id LIMIT 1)"),
		entry.reportedAs(w.opening).with("inventory.opening_id", "(SELECT id FROM openings WHERE user_id = '"+w.ben+"' AND nonce = 0), position = 50"),
		entry.dangling("inventory.user_id", another),
		entry.reportedAs("no catalogue item 9").dangling("inventory.item_id", "'9'"),
		entry.reportedAs("does not exist, but has 1 items").dangling("inventory.opening_id", another+", position = 0"),
		entry.reportedAs(w.opening).with("inventory.position", "50"),
		entry.with("inventory.pulled_value_cents", "pulled_value_cents + 10"),
		entry.with("inventory.sell_back_floor_cents", "sell_back_floor_cents + 1"),
		entry.with("inventory.sell_back_until", "sell_back_until + 1"),
		entry.with("inventory.listing_id", "'"+w.sale+"', state = 'listed', sale_price_cents = 1"),
		entry.with("inventory.acquired_from", "'market'"),
		sold.with("inventory.acquired_from", "'pack'"),
		entry.with("inventory.acquired_at", "acquired_at + 1"),
		sold.with("inventory.acquired_at", "acquired_at + 1"),

		entry.with("inventory.state", "'claimed'"),
		entry.with("inventory.vaulted", "TRUE"),
		entry.with("inventory.version", "version + 1"),
		sold.with("inventory.sale_price_cents", "sale_price_cents + 1"),
		sold.with("inventory.ended_listing_id", another),

		event.with("entry_events.inventory_id", "'"+w.entry+"'"),
		event.with("entry_events.number", "number + 1"),
		event.with("entry_events.act", "'deliver'"),
		event.with("entry_events.by_whom", "'"+w.ben+"'"),
		event.with("entry_events.price_cents", "price_cents + 1"),
		event.with("entry_events.ref", "'floor'"),
		event.with("entry_events.created_at", "created_at + 1"),

		quoted.with("sell_backs.trade_id", "'"+w.sale+"'"),
		quoted.with("sell_backs.value_cents", "value_cents + 1"),
		quoted.with("sell_backs.quote", "'floor'"),
		quoted.with("sell_backs.draw_seq", "draw_seq + 1"),

		sale.with("trades.id", another+", listing_id = "+another),
		sale.with("trades.kind", "'counter', bid_id = id"),
		sale.reportedAs(w.entry).with("trades.inventory_id", "'"+w.entry+"'"),
		sale.with("trades.item_id", "(SELECT id FROM items WHERE id <> trades.item_id LIMIT 1)"),
		sale.with("trades.seller_id", "'"+w.idle+"'"),
		sale.with("trades.buyer_id", "'"+w.idle+"'"),
		sale.with("trades.price_cents", "price_cents + 1"),
		sale.with("trades.fee_cents", "fee_cents + 1"),
		sale.with("trades.rate_points", "rate_points + 1"),
		sale.with("trades.value_cents", "value_cents + 1"),
		sale.with("trades.told", "FALSE"),
		sale.with("trades.created_at", "created_at + 1"),
		sale.with("trades.bid_id", another),
		sale.immutable("trades.listing_id"),
		back.with("trades.price_cents", "price_cents + 1, house_quote_cents = price_cents + 1"),
		back.with("trades.seller_id", "'"+w.ben+"'"),
		back.with("trades.created_at", "created_at + 1"),
		back.with("trades.route", "'quick'"),
		back.with("trades.best_bid_cents", "5"),
		back.with("trades.back_cents", "back_cents + 1"),
		sale.with("trades.excess_cents", "excess_cents + 1"),
		back.immutable("trades.house_quote_cents"),

		price.with("transfers.debit", "'"+w.ben+"'"),
		priceLine.with("transfers.credit", "'house:fees'"),
		price.with("transfers.amount_cents", "amount_cents + 1"),
		priceLine.with("transfers.debit_line", "debit_line + 100"),
		priceLine.with("transfers.debit_balance_cents", "debit_balance_cents + 1"),
		price.with("transfers.kind", "'sale'"),
		price.with("transfers.ref", another),
		price.with("transfers.created_at", "created_at + 1"),
		creditLine.with("transfers.credit_line", "credit_line + 100"),
		creditLine.with("transfers.credit_balance_cents", "credit_balance_cents + 1"),
		credit.with("transfers.amount_cents", "amount_cents + 1"),
		credit.with("transfers.credit", "'"+w.ben+"'"),
		credit.with("transfers.note", "'other'"),
		credit.with("transfers.created_at", "created_at + 1"),

		deposit.immutable("deposits.id"),
		deposit.with("deposits.user_id", "'"+w.ben+"'"),
		deposit.with("deposits.provider", "'helio'"),
		deposit.with("deposits.amount_cents", "amount_cents + 1"),
		deposit.with("deposits.state", "'rejected'"),
		deposit.with("deposits.exception", "'over'"),
		deposit.with("deposits.version", "version + 1"),
		deposit.with("deposits.created_at", "created_at - 1"),
		credited.immutable("deposit_events.deposit_id"),
		credited.with("deposit_events.number", "number + 1"),
		credited.with("deposit_events.state", "'rejected'"),
		credited.with("deposit_events.exception", "'over'"),
		credited.with("deposit_events.by_whom", "'"+w.ben+"'"),
		credited.with("deposit_events.created_at", "created_at + 1"),
		payment.immutable("deposit_payments.deposit_id"),
		payment.with("deposit_payments.provider", "'helio'"),
		payment.with("deposit_payments.payment_id", "'other'"),
		payment.with("deposit_payments.network", "'other'"),
		payment.with("deposit_payments.signature", "'other'"),
		payment.with("deposit_payments.currency", "'USDC'"),
		payment.with("deposit_payments.units", "units + 1"),
		payment.with("deposit_payments.over_units", "over_units + 1"),
		payment.with("deposit_payments.paid_at", "paid_at + 1000000"),
		payment.with("deposit_payments.created_at", "created_at + 1"),

		claim.immutable("claims.id"),
		claim.with("claims.user_id", "'"+w.ben+"'"),
		claim.with("claims.state", "'replacing'"),
		claim.with("claims.shipping_cents", "shipping_cents + 1"),
		claim.with("claims.message", "message || ' '"),
		claim.with("claims.signature", "signature || '1'"),
		claim.with("claims.carrier", "'ups'"),
		claim.with("claims.tracking", "tracking || '1'"),
		claim.with("claims.version", "version + 1"),
		claim.with("claims.created_at", "created_at - 1"),
		item.with("claim_items.claim_id", "'"+w.waiting+"', position = 1"),
		item.with("claim_items.position", "position + 100"),
		item.with("claim_items.inventory_id", "'"+w.entry+"'"),
		item.with("claim_items.value_cents", "value_cents - 1"),
		item.with("claim_items.refund_cents", "refund_cents + 1"),
		item.with("claim_items.refund_cents", "NULL"),
		step.with("claim_events.claim_id", "'"+w.waiting+"'"),
		step.with("claim_events.number", "number + 10"),
		step.with("claim_events.act", "'deliver'"),
		step.with("claim_events.by_whom", "'"+w.ben+"'"),
		step.with("claim_events.created_at", "created_at + 1"),
		shipped.with("claim_events.note", "note || '1'"),
		waitingAddress.with("claim_addresses.claim_id", another).preparedBy(`INSERT INTO claims (id, user_id, state, shipping_cents, message, signature, version, created_at)
			SELECT ` + another + `, user_id, 'requested', 0, '', '', 1, 0 FROM claims WHERE id = '` + w.waiting + `'`),
		address.with("claim_addresses.forget_at", "forget_at + 1"),
		waitingAddress.with("claim_addresses.forget_at", "1"),
		loss.with("transfers.amount_cents", "amount_cents + 1"),
		row{"kind = 'shipping-refund'", w.claim}.with("transfers.ref", another),

		soloCredit.with("solo_acts.user_id", "'"+w.ben+"'"),
		soloCredit.with("solo_acts.road", "'refund'"),
		soloCredit.with("solo_acts.subject", "'user nobody'"),
		soloCredit.with("solo_acts.erased", "' '||user_id"),
		soloCredit.with("solo_acts.amount_cents", "amount_cents + 1"),
		soloCredit.with("solo_acts.created_at", "created_at + 1"),
		soloRaise.with("solo_acts.subject", "'item another'"),
		soloRaise.with("solo_acts.amount_cents", "60000"), // more than the daily total
		soloRefund.with("solo_acts.amount_cents", "amount_cents - 1"),
		deposit.with("deposits.credited_cents", "credited_cents - 1"),
		payment.with("deposit_payments.arrived_cents", "1"),

		gift.immutable("gifts.id"),
		gift.with("gifts.giver_id", "'"+w.idle+"'"),
		offered.with("gifts.wallet", "(SELECT wallet_address FROM users WHERE id = '"+w.idle+"')"),
		linked.with("gifts.secret_hash", "$1", other),
		gift.with("gifts.receiver_id", "'"+w.idle+"'"),
		gift.with("gifts.state", "'refused'"),
		offered.with("gifts.withheld_at", "1"),
		gift.with("gifts.message", "message || ' '"),
		gift.with("gifts.signature", "signature || '1'"),
		gift.with("gifts.created_at", "created_at + 1, expires_at = expires_at + 1"),
		gift.with("gifts.expires_at", "expires_at + 1"),
		gift.with("gifts.ended_at", "ended_at + 1"),
		given.with("gift_items.gift_id", "'"+w.offered+"', position = 1"),
		given.with("gift_items.position", "position + 1"),
		given.with("gift_items.inventory_id", "'"+w.back+"'"),
		given.with("gift_items.value_cents", "value_cents + 1"),
		given.with("gift_items.waiting", "TRUE"),
		row{"gift_id = '" + w.offered + "'", w.offered}.with("gift_items.waiting", "FALSE"),
		row{"id = '" + w.offering + "'", w.offering}.with("inventory.state", "'held'"),

		shared.reportedAs("is shared by user "+w.ann).with("shared_pulls.opening_id", "(SELECT id FROM openings WHERE user_id = '"+w.ben+"' AND nonce = 0)"),
		shared.with("shared_pulls.user_id", "'"+w.ben+"'"),
		shared.with("shared_pulls.shared_at", "1"),
		showcase.reportedAs("showcase of "+w.idle).with("showcase.user_id", "'"+w.idle+"'"),
		showcase.with("showcase.position", "position + 1"),
		showcase.with("showcase.inventory_id", "(SELECT n.id FROM inventory n JOIN openings o ON o.id = n.opening_id WHERE o.user_id = '"+w.ben+"' AND o.nonce = 0)"),

		valuation.immutable("valuations.item_id"),
		valuation.with("valuations.number", "number + 1"),
		valuation.with("valuations.value_cents", "value_cents + 1"),
		valuation.with("valuations.user_id", "'"+w.ben+"'"),
		valuation.with("valuations.created_at", "created_at - 1"),
		valuation.with("valuations.carried_at", "created_at"),
		row{"id = '" + w.valued + "'", w.valued}.with("items.base_value_cents", "base_value_cents + 1"),
		row{"act = 'edit-item'", w.valued}.with("admin_acts.subject", "'item another'"),

		act.with("admin_acts.id", another),
		act.with("admin_acts.user_id", "'"+w.ben+"'"),
		act.with("admin_acts.act", "'create-item'"),
		act.with("admin_acts.path", "path || 'x'"),
		act.with("admin_acts.request", "REPLACE(request, '70', '71')"),
		act.with("admin_acts.created_at", "created_at + 1"),
		act.with("admin_acts.subject", "'user nobody'"),
		act.with("admin_acts.was", "'{}'"),
		act.with("admin_acts.became", "'{}'"),
		act.with("admin_acts.reason", "'another'"),
		act.with("admin_acts.erased", "' '||user_id"),

		rates.with("rates.number", "2"),
		rates.with("rates.listing_points", "listing_points + 1"),
		rates.with("rates.bid_points", "bid_points + 1"),
		rates.with("rates.counter_points", "counter_points + 1"),
		rates.with("rates.announced_at", "announced_at + 1000"),
		rates.with("rates.effective_at", "effective_at + 1000"),

		approval.with("approvals.id", another),
		approval.with("approvals.kind", "'accept-loss'"),
		approval.with("approvals.subject", "'user nobody'"),
		approval.with("approvals.payload", "REPLACE(payload, '600', '601')"),
		approval.with("approvals.reason", "'another'"),
		approval.with("approvals.asked_by", "'"+w.ben+"'"),
		approval.with("approvals.created_at", "created_at + 1"),
		approval.with("approvals.expires_at", "expires_at + 1"),
		approval.with("approvals.state", "'refused'"),
		approval.with("approvals.decided_by", "'"+w.ben+"'"),
		approval.with("approvals.decision", "'another'"),
		approval.with("approvals.decided_at", "decided_at + 1"),

		frozen.with("accounts.frozen_at", "frozen_at + 1"),
		inForce.with("freezes.user_id", "'"+w.ben+"'").reportedBy("account " + w.ben),
		inForce.with("freezes.reason", "'another'"),
		inForce.with("freezes.frozen_at", "frozen_at + 1"),
		ended.with("freezes.ended_at", "ended_at + 1"),
		debit.with("debits.id", another),
		debit.with("debits.user_id", "'"+w.ben+"'"),
		debit.with("debits.admin_id", "'"+w.ben+"'"),
		debit.with("debits.approval_id", "'"+w.approval+"'"),
		debit.with("debits.asked_cents", "asked_cents + 1"),
		debit.with("debits.taken_cents", "taken_cents - 1"),
		debit.with("debits.reason", "'another'"),
		debit.with("debits.created_at", "created_at + 1"),

		account.with("accounts.user_id", another).preparedBy(`INSERT INTO users (id, wallet_address, tag, tag_salt, created_at)
			SELECT ` + another + `, 'newcomer', 'newcomer', tag_salt, 0 FROM users WHERE id = '` + w.ben + `'`),
		account.with("accounts.balance_cents", "balance_cents + 1"),
		account.with("accounts.lines", "lines + 1"),
		account.with("accounts.nonce", "nonce + 1"),
		account.with("accounts.commitment", "$1", other),
		account.with("accounts.counted_from", "counted_at"),
		account.with("accounts.counted_at", "counted_at + 1"),
		account.with("accounts.lost_day_cents", "lost_day_cents + 1"),
		account.with("accounts.lost_week_cents", "lost_week_cents - 1"),
		account.with("accounts.lost_month_cents", "lost_month_cents + 1"),
		account.with("accounts.added_day_cents", "added_day_cents + 1"),
		account.with("accounts.added_week_cents", "added_week_cents + 1"),
		account.with("accounts.added_month_cents", "added_month_cents + 1"),
		account.with("accounts.spent_day_cents", "spent_day_cents + 1"),
		account.with("accounts.opens_day", "opens_day + 1"),
		account.with("accounts.opened_at", "opened_at + 1"),
		account.with("accounts.most_lost_day_cents", "most_lost_day_cents + 1"),
		account.with("accounts.most_lost_week_cents", "5"),
		account.with("accounts.most_lost_month_cents", "5"),
		account.with("accounts.most_added_day_cents", "5"),
		account.with("accounts.most_added_week_cents", "5"),
		account.with("accounts.most_added_month_cents", "5"),
		account.with("accounts.timed_out_until", "5"),
		account.with("accounts.excluded_until", "5"),
		limitChange.with("limit_acts.user_id", "'"+w.idle+"'"),
		limitChange.with("limit_acts.number", "number + 100"),
		limitChange.with("limit_acts.bound", "'loss-week'"),
		limitChange.with("limit_acts.act", "'ask'"),
		limitChange.with("limit_acts.value", "value + 1"),

		stock.with("stock.item_id", "'pkm-001'"),
		stock.with("stock.pack_id", "'7'"),
		stock.with("stock.remaining", "remaining + 5"),
		finite.immutable("packs.id"),
		scarce.with("packs.supply", "supply + 1"),
		scarce.with("packs.sold", "sold + 1"),
		finite.with("packs.draw_seq", "draw_seq + 1"),
		finite.with("packs.realised_loss_cents", "realised_loss_cents + 1"),
		finite.with("packs.beyond_quotes_cents", "beyond_quotes_cents + 1"),

		manifest.immutable("manifests.hash"),
		manifest.immutable("manifests.pack_id"),
		manifest.with("manifests.body", "REPLACE(body, 'price', 'prize')"),
		publication.with("publications.pack_id", "'7', number = 9"),
		publication.with("publications.number", "number + 1"),
		publication.with("publications.hash", "(SELECT hash FROM manifests WHERE pack_id = '7')"),
		publication.with("publications.supply", "supply + 1"),
		publication.with("publications.published_at", "published_at + 1000"),
		publication.with("publications.effective_at", "effective_at + 1000"),

		leaves.reportedAs("leaves are missing").with("log_leaves.epoch", "9"),
		leaves.reportedAs("leaves are missing").with("log_leaves.leaf_index", "leaf_index + 1000"),
		leaves.reportedAs("is labeled with").with("log_leaves.number", "number + 1"),
		leaves.reportedAs("is labeled with").with("log_leaves.oldest", "''"),
		leaves.reportedAs("is labeled with").with("log_leaves.newest", "newest || 'x'"),
		leaves.reportedAs("leaves are missing").with("log_leaves.entries", "$1", other),
		leaves.reportedAs(w.opening).with("log_leaves.entries", "$1", []byte{3, 0}), // no leaves
		waitingLeaf.with("log_waiting.body", "'"+w.leaf+"'").preparedBy(`INSERT INTO log_waiting (body) VALUES ('kaibao-commit/v1
')`),
		best.with("top_pulls.list", "'[]'"),
		best.with("top_pulls.pack_id", "'none'"),
		best.with("top_pulls.period", "'last-big'").reportedBy(`top pulls of pack "", period last-big`),
		best.with("top_pulls.begins_at", "1"),
		books.with("book_days.day", "day + 1"),
		books.with("book_days.body", "REPLACE(body, 'gifts', 'gifts 1')"),
		books.with("book_days.body", "REPLACE(body, 'balances ', 'balances 1')"),
		bookItem.with("book_items.item_id", "(SELECT id FROM items WHERE id NOT IN (SELECT item_id FROM book_items) LIMIT 1)"),
		bookItem.with("book_items.number", "number + 1"),
		tile.with("log_tiles.epoch", "9"),
		tile.with("log_tiles.level", "9"),
		tile.with("log_tiles.number", "9"),
		tile.with("log_tiles.hashes", "$1", other),
		tree.with("log_tree.epoch", "9"),
		tree.with("log_tree.origin", "'other'"),
		tree.with("log_tree.size", "size + 1"),
		tree.with("log_tree.root", "$1", other),
		tree.with("log_tree.signed_size", "signed_size - 1"),
		tree.with("log_tree.checkpoint", "REPLACE(checkpoint, '=', '')"),
		tree.with("log_tree.verifier_key", "'other'"),
		tree.with("log_tree.seed_origin", "'other'"),
		policy.with("log_policies.number", "number + 1"),
		policy.with("log_policies.leaf", "REPLACE(leaf, 'quorum 1', 'quorum 2')"),
		policy.with("log_policies.in_force_at", "in_force_at + 1000"),
		policy.reportedAs("has no address").with("log_witnesses.verifier_key", "'other'"),
		cosigned.with("log_cosigned.epoch", "9"),
		cosigned.with("log_cosigned.quorum_at", "quorum_at + 1"),
		cosigned.with("log_cosigned.size", "size + 1"),
		cosigned.with("log_cosigned.checkpoint", "REPLACE(checkpoint, '=', '')"),
		counter.reportedAs("follower other").with("log_followers.name", "'other', epoch = 9"),
		counter.reportedAs("follower draws").with("log_followers.epoch", "9"),
		counter.with("log_followers.position", "0"),
		drawn.with("drawn_manifests.opens", "opens + 1"),
		drawn.with("drawn_manifests.manifest_hash", "(SELECT hash FROM manifests WHERE pack_id = '6')"),
		drawn.with("drawn_cards.number", "number + 1"),
		drawn.with("drawn_cards.item_id", "item_id || 'x'"),
		drawn.with("drawn_cards.manifest_hash", "(SELECT hash FROM manifests WHERE pack_id = '6')"),
	}
}

// world is a small marketplace in which every kind of act was done once.
type world struct {
	*testing.T
	*apptest.Server
	ann, ben, idle string // users' ids
	opening        string // ann's, with five items; she kept the first
	leaf           string // the opening's leaf in the log
	manifest       string // the opening's manifest
	entry, sold    string // two of its items: one kept, one sold to ben, who lists it again
	sale, credit   string // ids of the sale and of an admin's credit
	valued         string // an item whose value an admin raised above that in the manifest
	back           string // a toy that ann pulled and sold back
	toy, scarce    string // a drawn card with finite stock; a pack with finite supply
	claim, claimed string // ann's lost and refunded claim, and its entry
	waiting        string // an open claim of ann's
	approval       string // of a credit that needed a second admin
	bid            string // ben's bid for an entry of ann's
	order          string // ann's order of a sealed pack, which is drawn
	gift           string // accepted by ben
	offered        string // a gift for ben that waits
	offering       string // its entry
	linked         string // a gift by link that ann canceled
	deposit        string // ann's credited deposit
	shared         string // an open that ann shares
	frozen         string // a user who was frozen twice, the second time until now, and lost points
}

// freeze returns the row of the freeze whose end fits a condition.
func (w *world) freeze(ended string) row {
	id := w.queryText(`SELECT id FROM freezes WHERE ended_at ` + ended)
	return row{"id = '" + id + "'", "freeze " + id}
}

func newWorld(t *testing.T, s *apptest.Server) *world {
	w := &world{T: t, Server: s}
	ann, ben, idle, admin := s.SignIn(t), s.SignIn(t), s.SignIn(t), s.Admin(t)
	for _, c := range []*apptest.Client{ann, ben} {
		c.Deposit(t, 1000)
	}
	post := func(c *apptest.Client, path string, body payload, into any) {
		c.Post(t, path, body).Want(t, http.StatusOK, into)
	}
	post(admin, "/api/wallet/deposit/manual", payload{"amount": 70, "walletAddress": ann.Address, "reason": "a prize"}, nil)
	var waiting struct{ Approval struct{ ID string } }
	post(admin, "/api/wallet/deposit/manual", payload{"amount": 600, "walletAddress": idle.Address, "reason": "a great prize"}, &waiting)
	w.approval = waiting.Approval.ID
	second := s.Admin(t)
	post(second, "/api/admin/approvals/"+w.approval, payload{"decision": "approve", "reason": "They won it."}, nil)
	var fees struct{ ID string }
	post(admin, "/api/admin/rates", payload{"listing": 450, "bid": 150, "counter": 400, "reason": "Business is good."}, &fees)
	post(second, "/api/admin/approvals/"+fees.ID, payload{"decision": "approve", "reason": "So be it."}, nil)
	var pack struct{ ID string }
	post(admin, "/api/admin/packs", payload{
		"name": "Scarce", "priceCents": 2500, "series": []string{"Starter"}, "supply": 5, "sealing": "instant",
		"lootTableJson": payload{"rarities": payload{"Common": 0.9, "Rare": 0.1}, "itemsPerPack": 1},
	}, &pack)
	var opened struct {
		OpenID, ManifestHash string
		Items                []struct{ InventoryID, ID string }
	}
	open := func(c *apptest.Client, pack string) {
		post(c, "/api/packs/"+pack+"/open", payload{"clientSeed": "x"}, &opened)
	}
	open(ben, pack.ID)
	w.valued = "pkm-001"
	admin.Call(t, http.MethodPatch, "/api/admin/items/pkm-001", payload{"baseValueCents": 22000, "source": "An auction", "reason": "It rose."}).Want(t, http.StatusOK, nil)
	open(ben, "2")
	open(ann, "2")
	openToy := func() { ann.OpenSealed(t, "8", "x").Want(t, http.StatusOK, &opened) }
	openToy()
	w.toy = opened.Items[0].ID
	openToy()
	w.back = opened.Items[0].InventoryID
	post(ann, "/api/inventory/sell-back", payload{"inventoryIds": []string{w.back}}, nil)
	w.order = ann.Order(t, sealedPack(t, admin), "x")
	ann.WaitForDraw(t, w.order)
	open(ann, "demo-pack-1")
	w.opening, w.manifest, w.entry, w.sold = opened.OpenID, opened.ManifestHash, opened.Items[0].InventoryID, opened.Items[1].InventoryID
	post(ann, "/api/marketplace/list", payload{"inventoryId": w.sold, "priceCents": 1000, "confirmedCents": 1000}, nil)
	post(ben, "/api/marketplace/buy", payload{"inventoryId": w.sold}, nil)
	post(ben, "/api/marketplace/list", payload{"inventoryId": w.sold, "priceCents": 1100, "confirmedCents": 1100}, nil)
	var bid struct{ ID string }
	ben.Call(t, http.MethodPut, "/api/limits", payload{"limits": []payload{{"limit": "loss-day", "cents": 500_00}}}).Want(t, http.StatusOK, nil)
	ben.Call(t, http.MethodPut, "/api/limits", payload{"limits": []payload{{"limit": "loss-day", "cents": 900_00}}}).Want(t, http.StatusOK, nil)
	post(ben, "/api/bids", payload{"scope": payload{"inventoryId": w.entry}, "priceCents": 500, "confirmedCents": 500}, &bid)
	w.bid = bid.ID
	w.deposit = topUp(t, ann)
	cy := s.SignIn(t)
	cy.Deposit(t, 10)
	w.frozen = apptest.Get[struct{ ID string }](t, cy, "/api/auth/user").ID
	moderate := func(act string, body payload) { post(admin, "/api/admin/users/"+w.frozen+"/"+act, body, nil) }
	moderate("debit", payload{"amountCents": 300, "reason": "A wrong credit."})
	moderate("freeze", payload{"reason": "A stolen card."})
	moderate("unfreeze", payload{"reason": "A mistake."})
	moderate("freeze", payload{"reason": "Another stolen card."})
	w.claimed = opened.Items[2].InventoryID
	ann.Vault(t, w.claimed, opened.Items[3].InventoryID, opened.Items[4].InventoryID)
	w.claim, w.waiting = ann.Claim(t, w.claimed, opened.Items[3].InventoryID), ann.Claim(t, opened.Items[4].InventoryID)
	for _, act := range []string{"pack", "ship", "lose", "refund"} {
		admin.Step(t, act, w.claim).Want(t, http.StatusOK, nil)
	}
	open(ann, "demo-pack-1")
	w.shared, w.offering = opened.OpenID, opened.Items[1].InventoryID
	w.gift, w.offered = ann.Give(t, apptest.ToWallet(ben), opened.Items[0].InventoryID), ann.Give(t, apptest.ToWallet(ben), w.offering)
	w.linked = ann.Give(t, apptest.ToLink(strings.Repeat("0", 32)), opened.Items[2].InventoryID)
	post(ben, "/api/gifts/"+w.gift+"/accept", payload{}, nil)
	post(ann, "/api/gifts/"+w.linked+"/cancel", nil, nil)
	ann.Call(t, http.MethodPatch, "/api/pulls/"+w.shared, payload{"shared": true}).Want(t, http.StatusOK, nil)
	ann.Call(t, http.MethodPatch, "/api/auth/user", payload{"showcase": []string{w.entry}}).Want(t, http.StatusOK, nil)
	witness, stop := s.StartWitness(t)
	s.SetWitnesses(t, 1, witness)
	s.WaitForQuorum(t)
	stop() // nobody can have seen the next leaf, of tomorrow's books, today
	closeBooks(t, s.Config, 26*time.Hour)
	s.WaitForLog(t)
	for id, c := range map[*string]*apptest.Client{&w.ann: ann, &w.ben: ben, &w.idle: idle} {
		*id = w.queryText(`SELECT id FROM users WHERE wallet_address = '` + c.Address + `'`)
	}
	w.leaf = apptest.Get[struct{ Leaf string }](t, ann, "/api/fairness/opens/"+w.opening).Leaf
	w.scarce = pack.ID
	w.sale, w.credit = w.queryText(`SELECT id FROM trades WHERE kind = 'listing'`), w.queryText(`SELECT id FROM admin_acts WHERE act = 'deposit-manual' AND reason = 'a prize'`)
	return w
}

// returnLater returns statements that make the toy that was sold back wait for its return to the stock.
func (w *world) returnLater() []string {
	return []string{
		`INSERT INTO waiting_returns SELECT '8', s.draw_seq, n.item_id FROM sell_backs s JOIN trades t ON t.id = s.trade_id JOIN inventory n ON n.id = t.inventory_id WHERE n.id = '` + w.back + `'`,
		`UPDATE stock SET remaining = remaining - 1 WHERE item_id = (SELECT item_id FROM inventory WHERE id = '` + w.back + `')`,
	}
}

// closeBooks closes the books of the days that have ended some time from now.
func closeBooks(t *testing.T, c app.Config, later time.Duration) {
	t.Helper()
	d, err := db.Open(t.Context(), db.Options{Dir: c.Data, URL: c.DatabaseURL, Now: func() time.Time { return time.Now().Add(later) }})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join((&publicbooks.Service{DB: d}).Close(t.Context()), d.Close()); err != nil {
		t.Fatal(err)
	}
}

// topUp buys points and waits until they are credited.
func topUp(t *testing.T, c *apptest.Client) (id string) {
	var begun struct{ DepositID, ChargeToken string }
	c.Post(t, "/api/wallet/deposits", payload{"amountCents": 1000}).Want(t, http.StatusOK, &begun)
	c.Post(t, "/sandbox/charges/"+begun.ChargeToken+"/pay", nil).Want(t, http.StatusOK, nil)
	apptest.Until(t, "a payment is credited", func() bool {
		return apptest.Get[struct{ State string }](t, c, "/api/wallet/deposits/"+begun.DepositID).State == "credited"
	})
	return begun.DepositID
}

func (w *world) queryTexts(query string) (found []string) {
	w.Helper()
	if err := w.DB.Read(w.Context(), func(tx *db.Tx) (err error) {
		found, err = db.All(tx, db.Column[string], query)
		return err
	}); err != nil {
		w.Fatal(err)
	}
	return found
}

func (w *world) queryText(query string) string {
	w.Helper()
	found := w.queryTexts(query)
	if len(found) == 0 {
		w.Fatalf("nothing found by %s", query)
	}
	return found[0]
}

// Each column of the books is corrupted once, and the audit must identify the row.
func TestAuditReportsEveryCorruptedColumn(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		w := newWorld(t, s)
		s.Audit(t)
		corruptions, proofs := w.corruptions(), app.Proofs()
		for _, c := range corruptions {
			t.Run(c.column+" "+c.set, func(t *testing.T) { c.try(t, s, proofs) })
		}
		w.wantEveryColumnCovered(corruptions)
		s.Audit(t)
	})
}

// try corrupts the row, checks that the audit identifies it, and rolls back.
func (c corruption) try(t *testing.T, s *apptest.Server, proofs []audit.Check) {
	undo := errors.New("undo")
	err := s.DB.InTx(t.Context(), func(tx *db.Tx) error {
		for _, statement := range c.preparation {
			if err := tx.ExecOne(statement); err != nil {
				return err
			}
		}
		if c.preparation != nil {
			if found := auditReport(t, tx); strings.Contains(found, c.reported) {
				t.Errorf("%s is reported before it is corrupted: %s", c.reported, found)
			}
		}
		table, column, _ := strings.Cut(c.column, ".")
		dbtest.AllowChanges(t, tx, s.DB.Engine(), table)
		if c.dangling && s.DB.Engine() == "sqlite" {
			if _, err := tx.Exec("PRAGMA defer_foreign_keys = ON"); err != nil {
				return err
			}
		}
		var args []any
		if c.arg != nil {
			args = []any{c.arg}
		}
		n, err := tx.Exec("UPDATE "+table+" SET "+column+" = "+c.set+" WHERE "+c.where, args...)
		switch {
		case c.refused && err != nil:
			return undo
		case c.refused:
			t.Error("the database accepted the change")
		case err != nil || n == 0:
			t.Errorf("%d rows corrupted: %v", n, err)
		default:
			c.wantReported(t, tx, proofs)
		}
		return undo
	})
	if !errors.Is(err, undo) {
		t.Fatal(err)
	}
}

// wantReported runs the parts of the audit until one identifies the row. It moves that part to the
// front for the next corruption, which is likely in the same table.
func (c corruption) wantReported(t *testing.T, tx *db.Tx, proofs []audit.Check) {
	t.Helper()
	var all []string
	for n, prove := range proofs {
		found, err := prove(tx)
		if err != nil {
			t.Errorf("audit: %v", err)
		}
		all = append(all, lines(found)...)
		if strings.Contains(strings.Join(all, "\n"), c.reported) {
			proofs[0], proofs[n] = proofs[n], proofs[0]
			return
		}
	}
	t.Errorf("%s is not reported: %q", c.reported, all)
}

func auditReport(t *testing.T, tx *db.Tx) string {
	t.Helper()
	found, err := app.Audit(tx, true, nil)
	if err != nil {
		t.Errorf("audit: %v", err)
	}
	return strings.Join(lines(found), "\n")
}

func lines(found []audit.Breach) (lines []string) {
	for _, b := range found {
		lines = append(lines, fmt.Sprintf("%s: %s: %s", b.Rule, b.Row, b.Detail))
	}
	return lines
}

// wantEveryColumnCovered fails the test for columns that are neither corrupted nor excused.
func (w *world) wantEveryColumnCovered(corruptions []corruption) {
	columns := `SELECT t.name || '.' || c.name FROM sqlite_master t JOIN pragma_table_info(t.name) c
		WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'`
	if w.DB.Engine() == "postgres" {
		columns = `SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema = current_schema()`
	}
	excused := map[string]bool{}
	for _, column := range w.queryTexts(columns) {
		table, _, _ := strings.Cut(column, ".")
		corrupted := slices.ContainsFunc(corruptions, func(c corruption) bool { return c.column == column })
		_, byColumn := unaudited[column]
		_, byTable := unaudited[table]
		excused[column], excused[table] = true, true
		if checks := []bool{corrupted, byColumn, byTable}; countTrue(checks) != 1 {
			w.Errorf("%s: corrupt it in this test, or say in unaudited why it need not be (corrupted, excused separately, excused with its table: %v)", column, checks)
		}
	}
	for name := range unaudited {
		if !excused[name] {
			w.Errorf("%s is excused but does not exist", name)
		}
	}
}

func countTrue(values []bool) (n int) {
	for _, value := range values {
		if value {
			n++
		}
	}
	return n
}
