import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { type TabChannel, tabChannel } from '@/lib/tab-channel'
import { useSession } from '@/lib/session'
import { keys } from './keys'

/** What an act has changed, and the address of who did it. */
interface ActNotice {
  address: string
  queryKeys: readonly QueryKey[]
}

const channels = new WeakMap<QueryClient, TabChannel<ActNotice>>()

/** How a tab, known by its cache, and the others tell each other what was done. */
export function actChannel(queryClient: QueryClient): TabChannel<ActNotice> {
  const way = channels.get(queryClient) ?? tabChannel<ActNotice>('acts')
  channels.set(queryClient, way)
  return way
}

/** What the visitor owns. */
export const ownedKeys = [keys.inventory, keys.entries, keys.inventorySummary, keys.vault, keys.vaultCards]
const tradeKeys = [keys.marketplace, keys.items, keys.itemBooks, keys.bids, keys.watchlist, ...ownedKeys, keys.wallet]
const settledTradeKeys = [...tradeKeys, keys.trades]
const catalogueKeys = [
  keys.items,
  keys.adminItems,
  keys.packs,
  keys.adminPacks,
  keys.marketplace,
  keys.metrics,
  keys.adminLog,
  ...ownedKeys,
]

/** What each act changes, and thus what is read afresh after it. */
const invalidatedBy = {
  open: [
    keys.inventory,
    keys.inventorySummary,
    keys.recentPulls,
    keys.leaderboard,
    keys.wallet,
    keys.packs,
    keys.opens,
    keys.commitment,
  ],
  deposit: [keys.wallet],
  quote: [keys.deposits],
  settle: [keys.deposits, keys.wallet],
  resolve: [keys.adminDeposits, keys.adminLog],
  credit: [keys.users, keys.approvals, keys.metrics, keys.adminLog],
  decide: [
    keys.approvals,
    keys.metrics,
    keys.users,
    keys.packs,
    keys.adminPacks,
    keys.adminClaims,
    keys.rates,
    keys.adminLog,
  ],
  changeRates: [keys.approvals, keys.metrics, keys.adminLog],
  setRole: [keys.users, keys.approvals, keys.metrics, keys.adminLog],
  endSessions: [keys.users, keys.adminLog],
  sendToVault: ownedKeys,
  // A bid may take at once what is put up for sale.
  list: settledTradeKeys,
  reprice: settledTradeKeys,
  delist: tradeKeys,
  buy: settledTradeKeys,
  bid: settledTradeKeys,
  changeBid: settledTradeKeys,
  withdrawBid: [keys.itemBooks, keys.entries, keys.bids, keys.wallet],
  acceptBid: settledTradeKeys,
  counterBid: [keys.entries],
  acceptCounter: settledTradeKeys,
  setLowestBid: [keys.entries],
  // Cards that can run out return to their packs.
  quickSell: [...settledTradeKeys, keys.quotes, keys.packs],
  claim: [...ownedKeys, keys.claims, keys.wallet],
  cancelClaim: [...ownedKeys, keys.claims, keys.wallet],
  openClaims: [keys.adminLog],
  stepClaims: [keys.adminClaims, keys.approvals, keys.metrics, keys.adminLog],
  // The list keeps what was new until it is looked at again.
  readAlerts: [keys.unread],
  watch: [keys.watchlist, keys.alerts],
  saveSearch: [keys.savedSearches, keys.alerts],
  setLimits: [keys.limits],
  // Bids end, and return what they held.
  stop: [keys.limits, keys.bids, keys.wallet, keys.alerts, keys.items],
  saveProfile: [keys.recentPulls, keys.leaderboard, keys.marketplace],
  createItem: [keys.items, keys.adminItems, keys.metrics, keys.adminLog],
  editItem: [...catalogueKeys, keys.approvals],
  editPack: [keys.packs, keys.adminPacks, keys.adminItems, keys.items, keys.metrics, keys.approvals, keys.adminLog],
  createPack: [keys.packs, keys.adminPacks, keys.metrics, keys.approvals, keys.adminLog],
  importItems: [...catalogueKeys, keys.approvals],
} as const

/** Something done on the server, by its name in the table above. */
export type ActName = keyof typeof invalidatedBy

/** Reads afresh whatever an act changes, here and in the visitor's other tabs. Resolves once it is here. */
export function useInvalidate(act: ActName): () => Promise<unknown> {
  const queryClient = useQueryClient()
  const address = useSession().user?.walletAddress
  const queryKeys: readonly QueryKey[] = invalidatedBy[act]
  return () => {
    if (address) actChannel(queryClient).send({ address, queryKeys })
    return Promise.all(queryKeys.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
  }
}
