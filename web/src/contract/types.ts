import type { paths } from './schema'

/** The JSON of a call's answer, named by path and method: the generated schema is the only source. */
type Answer<P extends keyof paths, M extends 'get' | 'post'> = paths[P][M] extends {
  responses: { 200: { content: { 'application/json': infer Body } } }
}
  ? NonNullable<Body>
  : never

type Entry<List> = List extends readonly (infer T)[] ? T : never

export type User = Answer<'/api/auth/user', 'get'>
export type Pack = Entry<Answer<'/api/packs', 'get'>>
export type PackDetail = Answer<'/api/packs/{id}', 'get'>
export type Odds = Entry<PackDetail['odds']>
export type Item = Entry<PackDetail['showcase']>
export type Bucket = PackDetail['distribution']['buckets'][number]
export type CardChance = Entry<Answer<'/api/packs/{id}/cards', 'get'>>
export type DemoPull = Answer<'/api/packs/{id}/demo', 'get'>
export type AdminItem = Entry<Answer<'/api/admin/items', 'get'>>
export type PackPreview = Answer<'/api/admin/packs/preview', 'post'>
export type AdminPack = Entry<Answer<'/api/admin/packs', 'get'>>
export type Transaction = Entry<Answer<'/api/wallet/transactions', 'get'>>
export type Deposit = Entry<Answer<'/api/wallet/deposits', 'get'>>
export type DepositLife = Answer<'/api/wallet/deposits/{id}', 'get'>
export type DepositEvent = Entry<DepositLife['events']>
export type Settled = Answer<'/api/wallet/deposit/helio', 'post'>
export type AdminDeposit = Entry<Answer<'/api/admin/deposits', 'get'>>
export type AdminUser = Entry<Answer<'/api/admin/users', 'get'>>
export type AdminUserPage = Answer<'/api/admin/users/{id}', 'get'>
export type UserNote = Entry<Answer<'/api/admin/users/{id}/notes', 'get'>>
export type LimitChange = Entry<Answer<'/api/admin/users/{id}/limit-changes', 'get'>>
export type SearchHit = Entry<Answer<'/api/admin/search', 'get'>>
export type AdminTransfer = Entry<Answer<'/api/admin/transfers', 'get'>>
export type AdminOpen = Entry<Answer<'/api/admin/opens', 'get'>>
export type AdminEntry = Entry<Answer<'/api/admin/entries', 'get'>>
export type AdminSale = Entry<Answer<'/api/admin/sales', 'get'>>
export type AdminSellBack = Entry<Answer<'/api/admin/sell-backs', 'get'>>
export type AdminBid = Entry<Answer<'/api/admin/bids', 'get'>>
export type FreezeOutcome = Answer<'/api/admin/users/{id}/unfreeze', 'post'>
export type DebitOutcome = Answer<'/api/admin/users/{id}/debit', 'post'>
export type SetRole = Answer<'/api/admin/users/{id}/role', 'post'>
export type Given = Answer<'/api/wallet/deposit/manual', 'post'>
export type Approval = Entry<Answer<'/api/admin/approvals', 'get'>>
export type Rates = Answer<'/api/rates', 'get'>
export type ChangedRates = NonNullable<paths['/api/admin/rates']['post']['requestBody']>['content']['application/json']
export type AdminAct = Entry<Answer<'/api/admin/audit', 'get'>>
export type Orphan = Entry<Answer<'/api/admin/orphans', 'get'>>
export type OpenResult = Answer<'/api/packs/{id}/open', 'post'>
export type CardSet = Entry<Answer<'/api/sets', 'get'>>
export type SetPage = Answer<'/api/sets/{id}', 'get'>
export type SetCard = Entry<SetPage['cards']>
export type Finish = NonNullable<SetPage['finish']>
export type Duplicates = NonNullable<SetPage['duplicates']>
export type ValueDay = Entry<Answer<'/api/inventory/value', 'get'>['days']>
export type Opening = Entry<Answer<'/api/opens', 'get'>>
export type PulledItem = Entry<Opening['items']>
type OwnEntry = Entry<Answer<'/api/inventory/me', 'get'>>
/** An entry as its owner sees it. Answers to acts don't say what it cost. */
export type InventoryEntry = Omit<OwnEntry, 'paidCents'> & Partial<Pick<OwnEntry, 'paidCents'>>
export type EntryLife = Answer<'/api/inventory/{id}', 'get'>
export type EntryEvent = Entry<EntryLife['events']>
export type ItemDetail = Answer<'/api/items/{id}', 'get'>
export type InventorySummary = Answer<'/api/inventory/summary', 'get'>
export type VaultCard = Entry<Answer<'/api/inventory/vault', 'get'>>
export type Quote = Entry<Answer<'/api/inventory/quotes', 'post'>['lines']>
export type QuickSale = Answer<'/api/inventory/quick-sell', 'post'>
export type Offered = Answer<'/api/marketplace/list', 'post'>
export type ManyOffered = Answer<'/api/marketplace/list-many', 'post'>
export type CartBought = Answer<'/api/marketplace/cart', 'post'>
export type Activity = Entry<Answer<'/api/activity/recent', 'get'>>
export type Trade = Entry<Answer<'/api/activity', 'get'>>
export type ItemSales = Answer<'/api/items/{id}/sales', 'get'>
export type SalesSpan = Entry<ItemSales['spans']>
export type ItemSale = Entry<ItemSales['sales']>
export type TradePair = Entry<Answer<'/api/admin/trade-pairs', 'get'>>
export type Listing = Entry<Answer<'/api/marketplace', 'get'>>
export type Bid = Entry<Answer<'/api/bids', 'get'>>
export type BidScope = Bid['scope']
export type OrderBook = Answer<'/api/items/{id}/book', 'get'>
export type Level = Entry<OrderBook['bids']>
export type OwnEntryBids = Answer<'/api/inventory/{id}/bids', 'get'>
export type OwnerBid = Entry<OwnEntryBids['bids']>
export type PlacedBid = Answer<'/api/bids', 'post'>
export type Facets = Answer<'/api/marketplace/facets', 'get'>
export type Alert = Entry<Answer<'/api/alerts', 'get'>>
export type Watch = Entry<Answer<'/api/watchlist', 'get'>>
export type SavedSearch = Entry<Answer<'/api/saved-searches', 'get'>>
export type Leader = Entry<Answer<'/api/leaderboard', 'get'>>
export type MadePack = Answer<'/api/admin/packs', 'post'>
export type ImportReport = Answer<'/api/admin/catalogue/import', 'post'>
export type ItemChange = Entry<ImportReport['changes']>
export type RowRefusal = Entry<ImportReport['refusals']>
export type OpenProof = Answer<'/api/fairness/opens/{id}', 'get'>
export type Draws = Answer<'/api/fairness/draws', 'get'>
export type PackDraws = Entry<Draws['packs']>
export type ClosedDay = Entry<Answer<'/api/admin/days', 'get'>>
export type TopPull = Entry<Answer<'/api/admin/top-pulls', 'get'>>
export type SealedState = Answer<'/api/admin/sealed', 'get'>
export type Backups = Answer<'/api/admin/backups', 'get'>
export type SharedPull = Answer<'/api/pulls/{openId}', 'get'>
export type Profile = Answer<'/api/profiles/{handle}', 'get'>
export type Books = Answer<'/api/books', 'get'>

export type Claim = Entry<Answer<'/api/redemptions', 'get'>>
export type ClaimStep = Entry<Claim['events']>
export type ClaimTerms = Answer<'/api/redemptions/terms', 'get'>
export type AddressForm = Answer<'/api/redemptions/address-form', 'get'>
export type AddressField = Entry<AddressForm['fields']>
export type ClaimChallenge = Answer<'/api/redemptions/challenge', 'post'>
export type Address = ClaimChallenge['address']
export type QueuedClaim = Entry<Answer<'/api/admin/redemptions', 'get'>>
export type OpenedClaim = Entry<Answer<'/api/admin/redemptions/open', 'post'>['claims']>

export type Gift = Entry<Answer<'/api/gifts', 'get'>>
export type GiftChallenge = Answer<'/api/gifts/challenge', 'post'>
export type LinkedGift = Answer<'/api/gifts/{id}/view', 'post'>
export type BlockedGiver = Entry<Answer<'/api/blocked-givers', 'get'>>

/** Filter and sort order of lists of items. */
export type ItemFilter = Omit<NonNullable<paths['/api/vault']['get']['parameters']['query']>, 'limit' | 'cursor'>

/** Filter of lists of entries. */
export type EntryFilter = Omit<
  NonNullable<paths['/api/inventory/me']['get']['parameters']['query']>,
  'limit' | 'cursor'
>

/** A ranking's metric and period. */
export type Ranking = Required<NonNullable<paths['/api/leaderboard/me']['get']['parameters']['query']>>

/** How far the visitor may go, and has gone. */
export type AccountData = Answer<'/api/account/data', 'get'>
export type Limits = Answer<'/api/limits', 'get'>
export type Limit = Limits['limits'][number]
/** The visitor's play results. */
export type OwnFigures = Answer<'/api/limits/figures', 'get'>
