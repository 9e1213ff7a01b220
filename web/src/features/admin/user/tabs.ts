import type { SearchHit } from '@/contract/types'
import { oneOfOrUndefined } from '@/lib/search-param'

export const userTabs = [
  'movements',
  'opens',
  'entries',
  'trades',
  'sellBacks',
  'bids',
  'deposits',
  'claims',
  'limits',
  'sessions',
  'notes',
  'log',
] as const

export type UserTab = (typeof userTabs)[number]

/** The tab that is open, and the id of the only record that it shows, if any. */
export interface UserSearch {
  tab?: UserTab | undefined
  id?: string | undefined
}

/** Parses the search parameters of a user's admin page; unknown ones are dropped. */
export function userSearch(raw: Readonly<Record<string, unknown>>): UserSearch {
  const { id } = raw
  return {
    tab: oneOfOrUndefined(userTabs, raw['tab']),
    id: typeof id === 'string' && /^[\w-]{1,64}$/.test(id) ? id : undefined,
  }
}

const tabs: Partial<Record<SearchHit['kind'], UserTab>> = {
  open: 'opens',
  entry: 'entries',
  deposit: 'deposits',
  claim: 'claims',
  bid: 'bids',
  trade: 'trades',
  transfer: 'movements',
}

/** Where a user's page shows what the search found. A payment is not one of the user's records. */
export function searchOf({ kind, id }: SearchHit): UserSearch {
  if (kind === 'payment') return { tab: 'deposits' }
  const tab = tabs[kind]
  return tab ? { tab, id } : {}
}
