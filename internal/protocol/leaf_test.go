package protocol

import (
	"bytes"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kaibao/internal/money"
)

const zeros = "0000000000000000000000000000000000000000000000000000000000000000"

const headText = "id 0190-a\nuser 0123456789abcdef0123456789abcdef\nnonce 12\npack 2\nmanifest " + zeros + "\ndraw 0\ncommitment " + zeros + "\n"

var signatureText = strings.Repeat("0a", 48)

// witness returns a witness with a key that nobody has.
func witness(name string, key byte) Witness {
	return Witness{name, [32]byte(bytes.Repeat([]byte{key}, 32))}
}

var witnessTexts = []string{witness("witness.example/a", 1).String(), witness("b", 2).String(), witness("c", 3).String()}

// leafTexts are the examples from the protocol's specification, one of each kind.
var leafTexts = map[string]string{
	"open": "kaibao-open/v1\nid 0190-a\nuser 0123456789abcdef0123456789abcdef\nnonce 12\npack 2\n" +
		"manifest " + zeros + "\ndraw 0\ncommitment " + zeros + "\nserverSeed " + zeros + "\n" +
		"clientSeed cmFuZG9t\nitems pkm-001:650 pkm-044:1800\nprice 2500\n" +
		"time 2026-01-02T03:04:05.678Z\nnext " + zeros + "\n",
	"commit": "kaibao-commit/v1\nuser 0123456789abcdef0123456789abcdef\nnonce 0\n" +
		"commitment " + zeros + "\ntime 2026-01-02T03:04:05.678Z\n",
	"manifest": "kaibao-manifest-published/v1\npack 8\nmanifest " + zeros + "\nsupply -1\ndraw 3\n" +
		"restock labubu-1:2 labubu-2:25\neffective 2026-01-02T03:14:05.678Z\ntime 2026-01-02T03:04:05.678Z\n",
	"order": "kaibao-order/v1\n" + headText + "clientSeed cmFuZG9t\nprice 2500\nround 12345678\n" +
		"time 2026-01-02T03:04:05.678Z\nnext " + zeros + "\n",
	"sealed open": "kaibao-open/v2\n" + headText + "serverSeed " + zeros + "\norder " + zeros + "\nround 12345678\nsignature " + signatureText +
		"\nitems pkm-001:650\ntime 2026-01-02T03:04:05.678Z\n",
	"void": "kaibao-void/v1\n" + headText + "order " + zeros + "\nround 12345678\nreason no-beacon\nserverSeed " + zeros +
		"\ntime 2026-01-02T03:04:05.678Z\n",
	"void of a lost seed": "kaibao-void/v1\n" + headText + "order " + zeros + "\nround 12345678\nreason lost\nserverSeed -\ntime 2026-01-02T03:04:05.678Z\n",
	"round": "kaibao-round/v1\nbeacon " + zeros + "\nround 12345678\nsignature " + signatureText +
		"\ncheckpoint a2FpYmFvCg==\ncheckpoint b2xkCg==\ntime 2026-01-02T03:04:05.678Z\n",
	"round without a quorum": "kaibao-round/v1\nbeacon " + zeros + "\nround 1\nsignature " + signatureText + "\ncheckpoint -\ntime 2026-01-02T03:04:05.678Z\n",
	"witnesses": "kaibao-witnesses/v1\nquorum 2\nwitness " + witnessTexts[0] + "\nwitness " + witnessTexts[1] + "\nwitness " + witnessTexts[2] +
		"\ntime 2026-01-02T03:04:05.678Z\n",
	"stock": "kaibao-stock/v1\npack 8\ndraw 4\ncard labubu-1 +1\nreason sell-back\ntime 2026-01-02T03:04:05.678Z\n",
	"books": "kaibao-books/v1\nday 2026-01-02\nopens 12 30000\nsellBacks 3 4500\nsales 2 5000\nfees 250\ndeposits 100000\n" +
		"gifts 0\ncredits 7000\nrefunds 100\nshortfalls 20\nshipping 2400\nreturned 400\nlosses 1000\nbalances 80150\ntime 2026-01-02T03:04:05.678Z\n",
	"books with debits": "kaibao-books/v2\nday 2026-01-02\nopens 12 30000\nsellBacks 3 4500\nsales 2 5000\nfees 250\ndeposits 100000\n" +
		"gifts 0\ncredits 7000\nrefunds 100\nshortfalls 20\nshipping 2400\nreturned 400\nlosses 1000\ndebits 150\nforfeits 0\nbalances 80000\ntime 2026-01-02T03:04:05.678Z\n",
	"trade":           "kaibao-trade/v1\nid 0190-b\nkind bid\nitem pkm-001\nprice 1000\nfee 20\nroute quick\nhouseQuote 585\nbestBid 1000\ntime 2026-01-02T03:04:05.678Z\n",
	"sale":            "kaibao-trade/v1\nid 0190-c\nkind listing\nitem pkm-001\nprice 1000\nfee 50\nroute -\nhouseQuote -\nbestBid -\ntime 2026-01-02T03:04:05.678Z\n",
	"trade at a rate": "kaibao-trade/v2\nid 0190-b\nkind bid\nitem pkm-001\nprice 1000\nfee 30\nrate 300\nroute quick\nhouseQuote 585\nbestBid 1000\ntime 2026-01-02T03:04:05.678Z\n",
	"rates":           "kaibao-rates/v1\nlisting 450\nbid 0\ncounter 10000\neffective 2026-01-03T03:04:05.678Z\ntime 2026-01-02T03:04:05.678Z\n",
	"end":             "kaibao-end/v1\norigin kaibao.log/next\nkey kaibao.log/next+76fa8222+AepKbGPinFIKvvVQexMuxfmVR3auvr57kkIe6mkURtIs\ntime 2026-01-02T03:04:05.678Z\n",
	"epoch":           "kaibao-epoch/v1\norigin example.com/log 1\nsize 77\nroot " + zeros + "\ntime 2026-01-02T03:04:05.678Z\n",
}

func TestParseLeaf(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 678e6, time.UTC)
	const tag = "0123456789abcdef0123456789abcdef"
	head := DrawHead{ID: "0190-a", User: tag, Nonce: 12, Pack: "2"}
	settlement := Settlement{DrawHead: head, Round: 12345678}
	signature := Signature(bytes.Repeat([]byte{10}, 48))
	for kind, want := range map[string]Leaf{
		"open": OpenLeaf{
			DrawHead: head, ClientSeed: "random", Price: 2500, Time: at,
			Items: []LeafItem{{"pkm-001", 650}, {"pkm-044", 1800}},
		},
		"order":                  OrderLeaf{DrawHead: head, ClientSeed: "random", Price: 2500, Round: 12345678, Time: at},
		"sealed open":            SealedOpenLeaf{Settlement: settlement, Signature: signature, Items: []LeafItem{{"pkm-001", 650}}, Time: at},
		"void":                   VoidLeaf{Settlement: settlement, Reason: VoidNoBeacon, Time: at},
		"void of a lost seed":    VoidLeaf{Settlement: settlement, Reason: VoidLost, Time: at},
		"round":                  RoundLeaf{Round: 12345678, Signature: signature, Checkpoint: "kaibao\n", EndedCheckpoint: "old\n", Time: at},
		"round without a quorum": RoundLeaf{Round: 1, Signature: signature, Time: at},
		"witnesses":              WitnessesLeaf{2, []Witness{witness("witness.example/a", 1), witness("b", 2), witness("c", 3)}, at},
		"commit":                 CommitLeaf{User: tag, Time: at},
		"manifest": ManifestLeaf{
			Pack: "8", Supply: Unlimited, Draw: 3, Effective: at.Add(10 * time.Minute), Time: at,
			Restock: []Restock{{"labubu-1", 2}, {"labubu-2", 25}},
		},
		"stock": StockLeaf{Pack: "8", Draw: 4, Card: "labubu-1", Count: 1, Reason: "sell-back", Time: at},
		"books": BooksLeaf{
			Day: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC), Opens: Count{12, 300_00}, SellBacks: Count{3, 45_00}, Sales: Count{2, 50_00},
			Fees: 250, Deposits: 1000_00, Credits: 70_00, Refunds: 1_00, Shortfalls: 20, Shipping: 24_00, Returned: 4_00, Losses: 10_00, Balances: 801_50, Time: at,
		},
		"books with debits": BooksLeaf{
			Day: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC), Opens: Count{12, 300_00}, SellBacks: Count{3, 45_00}, Sales: Count{2, 50_00},
			Fees: 250, Deposits: 1000_00, Credits: 70_00, Refunds: 1_00, Shortfalls: 20, Shipping: 24_00, Returned: 4_00, Losses: 10_00, Debits: 1_50, Balances: 800_00, Time: at,
		},
		"trade": TradeLeaf{
			V1: true, ID: "0190-b", Kind: TradeBid, Item: "pkm-001", Price: 10_00, Fee: 20, Route: RouteQuick, HouseQuote: 5_85, BestBid: 10_00, Time: at,
		},
		"sale": TradeLeaf{V1: true, ID: "0190-c", Kind: TradeListing, Item: "pkm-001", Price: 10_00, Fee: 50, Time: at},
		"trade at a rate": TradeLeaf{
			ID: "0190-b", Kind: TradeBid, Item: "pkm-001", Price: 10_00, Fee: 30, Rate: 300, Route: RouteQuick, HouseQuote: 5_85, BestBid: 10_00, Time: at,
		},
		"rates": RatesLeaf{Rates{450, 0, 10_000}, at.Add(24 * time.Hour), at},
		"end":   EndLeaf{Origin: "kaibao.log/next", Key: "kaibao.log/next+76fa8222+AepKbGPinFIKvvVQexMuxfmVR3auvr57kkIe6mkURtIs", Time: at},
		"epoch": EpochLeaf{Origin: "example.com/log 1", Size: 77, Time: at},
	} {
		got, err := ParseLeaf([]byte(leafTexts[kind]))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, %v; want %+v", kind, got, err, want)
			continue
		}
		if text := string(got.Format()); text != leafTexts[kind] {
			t.Errorf("%s is formatted as %q", kind, text)
		}
	}
}

func TestLeafTimesAreUTCMilliseconds(t *testing.T) {
	at := time.Date(2026, 1, 2, 11, 4, 5, 678_999_999, time.FixedZone("east", 8*3600))
	if got := (CommitLeaf{Time: at}).Format(); !bytes.Contains(got, []byte("time 2026-01-02T03:04:05.678Z\n")) {
		t.Errorf("formatted %s", got)
	}
}

func TestParseLeafRefuses(t *testing.T) {
	for _, c := range []struct{ kind, old, new, want string }{
		{"open", "kaibao-open/v1", "kaibao-open/v3", "unknown kind"},
		{"order", "kaibao-order/v1", "kaibao-order/v2", "unknown kind"},
		{"order", "round 12345678", "round 0", "line 11: rounds begin with 1"},
		{"order", "round 12345678", "round 18446744073709551616", "line 11: not a canonical decimal"},
		{"order", "cmFuZG9t", "YR==", "line 9: not a client seed"},
		{"order", "next " + zeros + "\n", "", "line 13: "},
		{"order", "5.678Z\n", "5.678Z\nserverSeed " + zeros + "\n", "line 13: expected next"},
		{"sealed open", "signature 0a", "signature ", "line 12: not 48 bytes"},
		{"sealed open", "signature 0a", "signature " + strings.Repeat("00", 48) + "0a", "line 12: not 48 bytes"},
		{"sealed open", "signature 0a", "signature 0A", "line 12: not 48 bytes"},
		{"sealed open", "items pkm-001:650", "items -", "line 13: expected id:number"},
		{"sealed open", "order " + zeros + "\n", "", "line 10: expected order"},
		{"void", "no-beacon", "sold-out", "line 11: expected one of"},
		{"void", "no-beacon", "lost", "line 12: a lost seed must be -"},
		{"void", "serverSeed " + zeros, "serverSeed -", "line 12: not 32 bytes"},
		{"void of a lost seed", "reason lost", "reason no-beacon", "line 12: not 32 bytes"},
		{"round", "round 12345678", "round 0", "line 3: rounds begin with 1"},
		{"round", "a2FpYmFvCg==", "a2FpYmFvCh==", "line 5: not a checkpoint"},
		{"round", "a2FpYmFvCg==", "/w==", "line 5: not a checkpoint"}, // not UTF-8
		{"round", "a2FpYmFvCg==", "", "line 5: not a checkpoint"},
		{"round", "b2xkCg==", "-", "line 6: not a checkpoint"},
		{"round", "checkpoint b2xkCg==\n", "checkpoint b2xkCg==\ncheckpoint b2xkCg==\n", "line 7: expected time"},
		{"round without a quorum", "checkpoint -\n", "", "line 5: expected checkpoint"},
		{"witnesses", "quorum 2", "quorum 0", "the quorum must be from 1"},
		{"witnesses", "quorum 2", "quorum 4", "the quorum must be from 1"},
		{"witnesses", "quorum 2", "quorum 02", "line 2: not a canonical decimal"},
		{"witnesses", witnessTexts[1], witnessTexts[0], "line 4: duplicate witness"},
		{"witnesses", witnessTexts[1], witness("d", 1).String(), "line 4: duplicate witness"},
		{"witnesses", witnessTexts[1], witness("c", 4).String(), "line 5: duplicate witness"},
		{"witnesses", witnessTexts[1], "e" + witnessTexts[1][1:], "line 4: "},
		{"witnesses", witnessTexts[2], witnessTexts[2][:2] + strings.ToUpper(witnessTexts[2][2:10]) + witnessTexts[2][10:], "line 5: "},
		{"witnesses", witnessTexts[1], witness("b d", 2).String(), "line 4: "},
		{"witnesses", witnessTexts[1], witness("", 2).String(), "line 4: "},
		{"witnesses", witnessTexts[1], "kaibao.log/next+76fa8222+AepKbGPinFIKvvVQexMuxfmVR3auvr57kkIe6mkURtIs", "not a verifier key of type 0x04"},
		{"witnesses", witnessTexts[1], strings.TrimSuffix(strings.Repeat(witnessTexts[1]+"\nwitness ", 16), "\nwitness "), "duplicate witness"},
		{"witnesses", "witness " + strings.Join(witnessTexts, "\nwitness ") + "\n", "", "line 3: expected witness"},
		{"trade at a rate", "rate 300", "rate 10001", "line 7: "},
		{"trade at a rate", "rate 300", "rate 0300", "line 7: not a canonical decimal"},
		{"trade at a rate", "rate 300\n", "", "line 7: expected rate"},
		{"trade", "fee 20\n", "fee 20\nrate 200\n", "line 7: expected route"},
		{"rates", "listing 450", "listing -", "line 2: not a canonical decimal"},
		{"rates", "bid 0\n", "", "line 3: expected bid"},
		{"open", "nonce 12", "nonce 012", "line 4: not a canonical decimal"},
		{"open", "user 0123456789abcdef", "user 0123456789ABCDEF", "line 3: not 16 bytes"},
		{"open", "user 0123456789abcdef", "user 0123456789abcdeg", "line 3: not hex"},
		{"open", "manifest 0", "manifest ", "line 6: not 32 bytes"},
		{"open", "cmFuZG9t", "cmFuZG9", "line 10: not a client seed"},
		{"open", "cmFuZG9t", "cmFu\rZG9t", "line 10: not a client seed"},
		{"open", "cmFuZG9t", "YR==", "line 10: not a client seed"},
		{"open", "cmFuZG9t", "_-_-", "line 10: not a client seed"},
		{"open", "clientSeed cmFuZG9t", "clientSeed ", "line 10: not a client seed"},
		{"open", "pkm-001:650 ", "pkm-001:650  ", "line 11: "},
		{"open", "pkm-001:650 ", "pkm-001 ", "line 11: expected id:number"},
		{"open", "pkm-001:650 ", "pkm-001:-1 ", "line 11: not a canonical decimal"},
		{"open", "pkm-001:650 pkm-044:1800", "-", "line 11: expected id:number"},
		{"open", "pkm-001:650 pkm-044:1800", strings.TrimSuffix(strings.Repeat("a:1 ", 1001), " "), "line 11: too many"},
		{"open", ".678Z", "Z", "line 13: not RFC 3339"},
		{"open", ".678Z", ",678Z", "line 13: not RFC 3339"},
		{"open", ".678Z", ".678+00:00", "line 13: not RFC 3339"},
		{"open", "2026-01-02", "2026-02-30", "line 13: not RFC 3339"},
		{"open", "next " + zeros + "\n", "", "line 14: "},
		{"commit", "nonce 0\n", "", "line 3: expected nonce"},
		{"commit", "5.678Z\n", "5.678Z\nmore\n", "line 6: unexpected text"},
		{"manifest", "supply -1", "supply -2", "line 4: not a canonical decimal"},
		{"manifest", "labubu-1:2", "labubu-1:0", "line 6: must be at least 1"},
		{"manifest", "labubu-1:2", "labubu-1:-0", "line 6: must be at least 1"},
		{"manifest", "labubu-1:2", "labubu-1:--2", "line 6: not a canonical decimal"},
		{"manifest", "restock labubu-1:2 labubu-2:25", "restock ", "line 6: expected id:number"},
		{"stock", "+1", "1", "line 4: expected +"},
		{"stock", "+1", "-1", "line 4: expected +"},
		{"stock", "+1", "+0", "line 4: must be at least 1"},
		{"stock", "+1", "++1", "line 4: not a canonical decimal"},
		{"stock", "reason sell-back", "reason sell back", "line 5: not an id"},
		{"books", "day 2026-01-02", "day 2026-02-30", "line 2: not a day"},
		{"books", "day 2026-01-02", "day 2026-1-2", "line 2: not a day"},
		{"books", "opens 12 30000", "opens 12", "line 3: expected 2 values"},
		{"books", "balances 80150", "balances -1", "line 15: not a canonical decimal"},
		{"books", "losses 1000\n", "losses 1000\ndebits 150\nforfeits 0\n", "line 15: expected balances"},
		{"books with debits", "debits 150\n", "", "line 15: expected debits"},
		{"books with debits", "debits 150", "debits -1", "line 15: not a canonical decimal"},
		{"books with debits", "debits 150", "debits 0", "neither debits nor forfeits"},
		{"trade", "kind bid", "kind offer", "line 3: expected one of"},
		{"trade", "kind bid", "kind -", "line 3: expected one of"},
		{"trade", "price 1000", "price 0", "line 5: must be at least 1"},
		{"trade", "price 1000", "price -", "line 5: not a canonical decimal"},
		{"trade", "route quick", "route slow", "line 7: expected one of"},
		{"trade", "route quick", "route ", "line 7: expected one of"},
		{"trade", "houseQuote 585", "houseQuote 0", "line 8: must be at least 1"},
		{"trade", "bestBid 1000", "bestBid 01000", "line 9: not a canonical decimal"},
		{"epoch", "origin example.com/log 1", "origin ", "line 2: not a text"},
	} {
		text := leafTexts[c.kind]
		if !strings.Contains(text, c.old) {
			t.Fatalf("the %s leaf has no %q", c.kind, c.old)
		}
		leaf, err := ParseLeaf([]byte(strings.Replace(text, c.old, c.new, 1)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s with %q: got %v, %v; want %q", c.kind, c.new, leaf, err, c.want)
		}
	}
}

func TestLeafRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		leaf := leaves().Draw(t, "leaf")
		got, err := ParseLeaf(leaf.Format())
		if err != nil || !reflect.DeepEqual(got, leaf) {
			t.Fatalf("%v: %+v read back as %+v", err, leaf, got)
		}
	})
}

var tags = rapid.StringMatching(`[0-9a-f]{32}`)

func leaves() *rapid.Generator[Leaf] {
	counts := rapid.Int64Range(1, 1<<62)
	return rapid.OneOf(
		rapid.Custom(func(t *rapid.T) Leaf {
			return OpenLeaf{
				DrawHead: drawHead(t), ServerSeed: hashes().Draw(t, "seed"),
				ClientSeed: clientSeeds().Draw(t, "client"), Items: drawItems(t), Price: amounts().Draw(t, "price"),
				Time: times().Draw(t, "time"), Next: hashes().Draw(t, "next"),
			}
		}),
		rapid.Custom(func(t *rapid.T) Leaf {
			return OrderLeaf{
				DrawHead: drawHead(t), ClientSeed: clientSeeds().Draw(t, "client"), Price: amounts().Draw(t, "price"),
				Round: rapid.Uint64Min(1).Draw(t, "round"), Time: times().Draw(t, "time"), Next: hashes().Draw(t, "next"),
			}
		}),
		rapid.Custom(func(t *rapid.T) Leaf {
			return SealedOpenLeaf{drawSettlement(t), hashes().Draw(t, "seed"), signatures().Draw(t, "signature"), drawItems(t), times().Draw(t, "time")}
		}),
		rapid.Custom(func(t *rapid.T) Leaf {
			if rapid.Bool().Draw(t, "lost") {
				return VoidLeaf{Settlement: drawSettlement(t), Reason: VoidLost, Time: times().Draw(t, "time")}
			}
			return VoidLeaf{drawSettlement(t), VoidNoBeacon, hashes().Draw(t, "seed"), times().Draw(t, "time")}
		}),
		rapid.Custom(func(t *rapid.T) Leaf {
			return RoundLeaf{
				Beacon: hashes().Draw(t, "beacon"), Round: rapid.Uint64Min(1).Draw(t, "round"), Signature: signatures().Draw(t, "signature"),
				Checkpoint: rapid.String().Draw(t, "checkpoint"), EndedCheckpoint: rapid.String().Draw(t, "ended"), Time: times().Draw(t, "time"),
			}
		}),
		rapid.Custom(func(t *rapid.T) Leaf {
			l := WitnessesLeaf{Time: times().Draw(t, "time")}
			for n := range rapid.IntRange(1, MaxWitnesses).Draw(t, "witnesses") {
				l.Witnesses = append(l.Witnesses, witness(rapid.StringMatching(`[a-z./]{1,9}`).Draw(t, "name")+strconv.Itoa(n), byte(n)))
			}
			l.Quorum = rapid.IntRange(1, len(l.Witnesses)).Draw(t, "quorum")
			return l
		}),
		rapid.Custom(func(t *rapid.T) Leaf {
			return CommitLeaf{
				User: tags.Draw(t, "user"), Nonce: rapid.Uint64().Draw(t, "nonce"),
				Commitment: hashes().Draw(t, "commitment"), Time: times().Draw(t, "time"),
			}
		}),
		rapid.Custom(func(t *rapid.T) Leaf {
			l := ManifestLeaf{
				Pack: ids.Draw(t, "pack"), Manifest: hashes().Draw(t, "manifest"),
				Supply: rapid.Int64Min(-1).Draw(t, "supply"), Draw: rapid.Uint64().Draw(t, "draw"),
				Effective: times().Draw(t, "effective"), Time: times().Draw(t, "time"),
			}
			for range rapid.IntRange(0, 3).Draw(t, "restocks") {
				l.Restock = append(l.Restock, Restock{ids.Draw(t, "card"), counts.Draw(t, "count") * rapid.SampledFrom([]int64{1, -1}).Draw(t, "way")})
			}
			return l
		}),
		rapid.Custom(func(t *rapid.T) Leaf {
			return StockLeaf{
				Pack: ids.Draw(t, "pack"), Draw: rapid.Uint64().Draw(t, "draw"), Card: ids.Draw(t, "card"),
				Count: counts.Draw(t, "count"), Reason: ids.Draw(t, "reason"), Time: times().Draw(t, "time"),
			}
		}),
		rapid.Custom(func(t *rapid.T) Leaf {
			count := func(name string) Count { return Count{int64(amounts().Draw(t, name)), amounts().Draw(t, name)} }
			return BooksLeaf{
				Day: times().Draw(t, "day").Truncate(Day), Opens: count("opens"), SellBacks: count("sell-backs"), Sales: count("sales"),
				Fees: amounts().Draw(t, "fees"), Deposits: amounts().Draw(t, "deposits"), Gifts: amounts().Draw(t, "gifts"),
				Credits: amounts().Draw(t, "credits"), Refunds: amounts().Draw(t, "refunds"), Shortfalls: amounts().Draw(t, "shortfalls"),
				Shipping: amounts().Draw(t, "shipping"), Returned: amounts().Draw(t, "returned"), Losses: amounts().Draw(t, "losses"),
				Debits: amounts().Draw(t, "debits"), Forfeits: amounts().Draw(t, "forfeits"),
				Balances: amounts().Draw(t, "balances"), Time: times().Draw(t, "time"),
			}
		}),
		rapid.Custom(func(t *rapid.T) Leaf {
			return TradeLeaf{
				Rate: money.BasisPoints(rapid.IntRange(0, 10_000).Draw(t, "rate")),
				ID:   ids.Draw(t, "id"), Kind: rapid.SampledFrom([]TradeKind{TradeListing, TradeBid, TradeCounter, TradeSellBack}).Draw(t, "kind"),
				Item: ids.Draw(t, "item"), Price: max(1, amounts().Draw(t, "price")), Fee: amounts().Draw(t, "fee"),
				Route:      rapid.SampledFrom([]TradeRoute{"", RouteQuick, RouteDirect}).Draw(t, "route"),
				HouseQuote: amounts().Draw(t, "quote"), BestBid: amounts().Draw(t, "bid"), Time: times().Draw(t, "time"),
			}
		}),
		rapid.Custom(func(t *rapid.T) Leaf {
			rate := func(of string) money.BasisPoints { return money.BasisPoints(rapid.IntRange(0, 10_000).Draw(t, of)) }
			return RatesLeaf{Rates{rate("listing"), rate("bid"), rate("counter")}, times().Draw(t, "effective"), times().Draw(t, "time")}
		}),
		rapid.Custom(func(t *rapid.T) Leaf {
			return EpochLeaf{
				Origin: labels.Draw(t, "origin"), Size: rapid.Uint64().Draw(t, "size"),
				Root: hashes().Draw(t, "root"), Time: times().Draw(t, "time"),
			}
		}),
	)
}

func drawHead(t *rapid.T) DrawHead {
	return DrawHead{
		ID: ids.Draw(t, "id"), User: tags.Draw(t, "user"), Nonce: rapid.Uint64().Draw(t, "nonce"), Pack: ids.Draw(t, "pack"),
		Manifest: hashes().Draw(t, "manifest"), Draw: rapid.Uint64().Draw(t, "draw"), Commitment: hashes().Draw(t, "commitment"),
	}
}

func drawSettlement(t *rapid.T) Settlement {
	return Settlement{drawHead(t), hashes().Draw(t, "order"), rapid.Uint64Min(1).Draw(t, "round")}
}

func signatures() *rapid.Generator[Signature] {
	return rapid.Map(rapid.SliceOfN(rapid.Byte(), 48, 48), func(b []byte) Signature { return Signature(b) })
}

func drawItems(t *rapid.T) []LeafItem {
	var items []LeafItem
	for range rapid.IntRange(1, 5).Draw(t, "items") {
		items = append(items, LeafItem{ids.Draw(t, "card"), money.Cents(rapid.Int64Range(0, int64(MaxAmount)).Draw(t, "value"))})
	}
	return items
}

func FuzzParseLeaf(f *testing.F) {
	for _, text := range leafTexts {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		leaf, err := ParseLeaf(text)
		if err != nil {
			return
		}
		if again := leaf.Format(); !bytes.Equal(again, text) {
			t.Errorf("accepted but not canonical:\n%q\n%q", text, again)
		}
	})
}
