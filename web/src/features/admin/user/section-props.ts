import type { AdminUserPage } from '@/contract/types'

/** What a tab of a user's page gets: the user, and the only record that it shows, if any. */
export interface SectionProps {
  user: AdminUserPage
  id?: string | undefined
  /** Set while only one record is shown. */
  onShowAll?: (() => void) | undefined
}
