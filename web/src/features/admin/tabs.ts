import { oneOfOrUndefined } from '@/lib/search-param'

export const adminTabs = [
  'items',
  'packs',
  'sealed',
  'deposits',
  'claims',
  'users',
  'overview',
  'approvals',
  'trail',
  'activity',
  'settings',
] as const

export type AdminTab = (typeof adminTabs)[number]

/** Parses the search parameters of /admin; unknown ones are dropped. */
export function adminSearch(raw: Readonly<Record<string, unknown>>): { tab?: AdminTab | undefined } {
  return { tab: oneOfOrUndefined(adminTabs, raw['tab']) }
}
