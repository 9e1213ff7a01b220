import { oneOfOrUndefined } from '@/lib/search-param'

export const adminTabs = [
  'items',
  'packs',
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

/** What the address asks for; anything unknown is dropped. */
export function operateSearch(raw: Readonly<Record<string, unknown>>): { tab?: AdminTab | undefined } {
  return { tab: oneOfOrUndefined(adminTabs, raw['tab']) }
}
