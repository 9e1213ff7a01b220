package opening

import (
	"context"
	"strconv"

	"kaibao/internal/httpkit"
	"kaibao/internal/money"
)

// AdminOpen is an open as an admin sees it.
type AdminOpen struct {
	OpenID          string      `json:"openId"`
	WalletAddress   string      `json:"walletAddress" doc:"Whose it is."`
	PackID          string      `json:"packId"`
	PackName        string      `json:"packName"`
	PriceCents      money.Cents `json:"priceCents"`
	TotalValueCents money.Cents `json:"totalValueCents" doc:"Of what was drawn, in the manifest that it was drawn by."`
	Nonce           int64       `json:"nonce"`
	ManifestHash    string      `json:"manifestHash"`
	CreatedAt       string      `json:"createdAt"`
}

var openColumns = []string{"time", "id", "wallet", "packId", "pack", "price", "value", "nonce", "manifest"}

func openRecord(o AdminOpen) []string {
	return []string{
		o.CreatedAt, o.OpenID, o.WalletAddress, o.PackID, o.PackName, o.PriceCents.String(), o.TotalValueCents.String(),
		strconv.FormatInt(o.Nonce, 10), o.ManifestHash,
	}
}

func (s *Service) adminRoutes(k *httpkit.Kit) {
	httpkit.Table(k, httpkit.Get(httpkit.Admin, "/api/admin/opens", "list-all-opens", "Everybody's opens, newest first"),
		"kaibao-opens", openColumns, openRecord, func(ctx context.Context, in *struct{ httpkit.Tabled }) (*httpkit.List[AdminOpen], error) {
			return httpkit.Paged(ctx, s.DB.Read, in.Page, newestOfAll.Select, opens)
		})
}
