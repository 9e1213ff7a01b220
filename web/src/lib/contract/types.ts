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
export type AdminPack = Entry<Answer<'/api/admin/packs', 'get'>>
export type Transaction = Entry<Answer<'/api/wallet/transactions', 'get'>>
export type OpenResult = Answer<'/api/packs/{id}/open', 'post'>
export type Opening = Entry<Answer<'/api/opens', 'get'>>
export type PulledItem = Entry<Opening['items']>
export type InventoryEntry = Entry<Answer<'/api/inventory/me', 'get'>>
export type EntryLife = Answer<'/api/inventory/{id}', 'get'>
export type EntryEvent = Entry<EntryLife['events']>
export type ItemDetail = Answer<'/api/items/{id}', 'get'>
export type InventorySummary = Answer<'/api/inventory/summary', 'get'>
export type VaultCard = Entry<Answer<'/api/inventory/vault', 'get'>>
export type Quote = Entry<Answer<'/api/inventory/quotes', 'post'>['lines']>
export type SellBackReceipt = Answer<'/api/inventory/sell-back', 'post'>
export type Activity = Entry<Answer<'/api/activity/recent', 'get'>>
export type Listing = Entry<Answer<'/api/marketplace', 'get'>>
export type Leader = Entry<Answer<'/api/leaderboard', 'get'>>
export type MadePack = Answer<'/api/admin/packs', 'post'>
export type OpenProof = Answer<'/api/fairness/opens/{id}', 'get'>
export type Draws = Answer<'/api/fairness/draws', 'get'>
export type PackDraws = Entry<Draws['packs']>

/** What a list of items can be narrowed to and sorted by. */
export type ItemFilter = Omit<NonNullable<paths['/api/vault']['get']['parameters']['query']>, 'limit' | 'cursor'>

/** What a list of entries can be narrowed to. */
export type EntryFilter = Omit<
  NonNullable<paths['/api/inventory/me']['get']['parameters']['query']>,
  'limit' | 'cursor'
>

/** What a ranking is over: a metric in a period. */
export type Ranking = Required<NonNullable<paths['/api/leaderboard/me']['get']['parameters']['query']>>
