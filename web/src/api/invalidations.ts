import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { type TabChannel, tabChannel } from '@/lib/tab-channel'
import { useSession } from '@/lib/session'
import { keys } from './keys'

/** The queries that an act invalidated, and the acting wallet. */
interface ActNotice {
  address: string
  queryKeys: readonly QueryKey[]
}

const channels = new WeakMap<QueryClient, TabChannel<ActNotice>>()

/** The channel on which tabs announce acts, one per query client. */
export function actChannel(queryClient: QueryClient): TabChannel<ActNotice> {
  const channel = channels.get(queryClient) ?? tabChannel<ActNotice>('acts')
  channels.set(queryClient, channel)
  return channel
}

/** Queries of the visitor's entries. */
export const ownedKeys = [
  keys.inventory,
  keys.entries,
  keys.inventorySummary,
  keys.collectionValue,
  keys.vault,
  keys.vaultCards,
  keys.sets,
]
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

/** The queries that each act invalidates. */
const invalidatedBy = {
  open: [
    keys.inventory,
    keys.inventorySummary,
    keys.collectionValue,
    keys.sets,
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
  addNote: [['/api/admin/notes'], keys.adminLog],
  setRole: [keys.users, keys.approvals, keys.metrics, keys.adminLog],
  endSessions: [keys.users, keys.adminLog],
  moderate: [keys.users, keys.adminLists, keys.approvals, keys.metrics, keys.adminLog],
  sendToVault: ownedKeys,
  // A bid may buy a new listing immediately.
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
  // Bids on the entries end.
  give: [...ownedKeys, keys.gifts, keys.itemBooks],
  acceptGift: [...ownedKeys, keys.gifts],
  refuseGift: [keys.gifts, keys.blockedGivers],
  cancelGift: [...ownedKeys, keys.gifts],
  unblockGiver: [keys.gifts, keys.blockedGivers],
  openClaims: [keys.adminLog],
  stepClaims: [keys.adminClaims, keys.approvals, keys.metrics, keys.adminLog],
  // The list keeps marking alerts as new until it is opened again.
  readAlerts: [keys.unread],
  watch: [keys.watchlist, keys.alerts],
  saveSearch: [keys.savedSearches, keys.alerts],
  // Bids and listings end.
  deleteAccount: [...tradeKeys, keys.account, keys.alerts],
  cancelDeletion: [keys.account],
  setLimits: [keys.limits],
  // Bids end, and their holds are released.
  stop: [keys.limits, keys.bids, keys.wallet, keys.alerts, keys.items],
  saveProfile: [
    keys.recentPulls,
    keys.publicTopPulls,
    keys.leaderboard,
    keys.marketplace,
    keys.items,
    keys.gifts,
    keys.profiles,
    keys.sharedPulls,
  ],
  sharePull: [keys.sharedPulls, keys.opens, keys.publicTopPulls, keys.profiles],
  createItem: [keys.items, keys.adminItems, keys.sets, keys.metrics, keys.adminLog],
  editItem: [...catalogueKeys, keys.approvals],
  editPack: [keys.packs, keys.adminPacks, keys.adminItems, keys.items, keys.metrics, keys.approvals, keys.adminLog],
  createPack: [keys.packs, keys.adminPacks, keys.metrics, keys.approvals, keys.adminLog],
  importItems: [...catalogueKeys, keys.approvals],
} as const

/** Something done on the server, by its name in the table above. */
export type ActName = keyof typeof invalidatedBy

/** Invalidates an act's queries, here and in the visitor's other tabs. Resolves once the data has arrived. */
export function useInvalidate(act: ActName): () => Promise<unknown> {
  const queryClient = useQueryClient()
  const address = useSession().user?.walletAddress
  const queryKeys: readonly QueryKey[] = invalidatedBy[act]
  return () => {
    if (address) actChannel(queryClient).send({ address, queryKeys })
    return Promise.all(queryKeys.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
  }
}
