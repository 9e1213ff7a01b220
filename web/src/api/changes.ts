import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useSession } from '@/lib/session'
import { keys } from './keys'
import { toldActs } from './told-acts'

/** What the visitor owns. */
export const owned = [keys.inventory, keys.entries, keys.inventorySummary, keys.vault, keys.vaultCards]
const traded = [keys.marketplace, keys.items, keys.itemBooks, keys.bids, keys.watchlist, ...owned, keys.wallet]
const settled = [...traded, keys.trades]
const catalogued = [
  keys.items,
  keys.adminItems,
  keys.packs,
  keys.adminPacks,
  keys.marketplace,
  keys.metrics,
  keys.trail,
  ...owned,
]

/** What each act changes, and thus what is read afresh after it. */
const changes = {
  open: [
    keys.inventory,
    keys.inventorySummary,
    keys.activity,
    keys.leaderboard,
    keys.wallet,
    keys.packs,
    keys.opens,
    keys.commitment,
  ],
  deposit: [keys.wallet],
  quote: [keys.deposits],
  settle: [keys.deposits, keys.wallet],
  resolve: [keys.adminDeposits, keys.trail],
  credit: [keys.users, keys.approvals, keys.metrics, keys.trail],
  decide: [
    keys.approvals,
    keys.metrics,
    keys.users,
    keys.packs,
    keys.adminPacks,
    keys.adminClaims,
    keys.rates,
    keys.trail,
  ],
  changeRates: [keys.approvals, keys.metrics, keys.trail],
  setRole: [keys.users, keys.approvals, keys.metrics, keys.trail],
  endSessions: [keys.users, keys.trail],
  sendToVault: owned,
  // A bid may take at once what is put up for sale.
  list: settled,
  reprice: settled,
  delist: traded,
  buy: settled,
  bid: settled,
  changeBid: settled,
  withdrawBid: [keys.itemBooks, keys.entries, keys.bids, keys.wallet],
  acceptBid: settled,
  counterBid: [keys.entries],
  acceptCounter: settled,
  setLowestBid: [keys.entries],
  // Cards that can run out return to their packs.
  quickSell: [...settled, keys.quotes, keys.packs],
  claim: [...owned, keys.claims, keys.wallet],
  cancelClaim: [...owned, keys.claims, keys.wallet],
  openClaims: [keys.trail],
  stepClaims: [keys.adminClaims, keys.approvals, keys.metrics, keys.trail],
  // The list keeps what was new until it is looked at again.
  readAlerts: [keys.unread],
  watch: [keys.watchlist, keys.alerts],
  saveSearch: [keys.savedSearches, keys.alerts],
  setLimits: [keys.limits],
  // Bids end, and return what they held.
  stop: [keys.limits, keys.bids, keys.wallet, keys.alerts, keys.items],
  saveProfile: [keys.activity, keys.leaderboard, keys.marketplace],
  createItem: [keys.items, keys.adminItems, keys.metrics, keys.trail],
  editItem: [...catalogued, keys.approvals],
  editPack: [keys.packs, keys.adminPacks, keys.adminItems, keys.items, keys.metrics, keys.approvals, keys.trail],
  createPack: [keys.packs, keys.adminPacks, keys.metrics, keys.approvals, keys.trail],
  importItems: [...catalogued, keys.approvals],
} as const

/** Something done on the server, by its name in the table above. */
export type Act = keyof typeof changes

/** Reads afresh whatever an act changes, here and in the visitor's other tabs. Resolves once it is here. */
export function useRefresh(act: Act): () => Promise<unknown> {
  const queryClient = useQueryClient()
  const address = useSession().user?.walletAddress
  const queryKeys: readonly QueryKey[] = changes[act]
  return () => {
    if (address) toldActs(queryClient).tell({ address, queryKeys })
    return Promise.all(queryKeys.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
  }
}
