import { useLanguage } from '@/i18n'
import type { AdminUser } from '@/contract/types'
import { dateTime } from '@/lib/format'
import { Badge } from '@/components/ui/badge'
import { adminTexts } from './texts'

/** Whether an address is the placeholder of a deleted user. */
export const isDeletedAddress = (walletAddress: string) => walletAddress.startsWith('deleted:')

/** A user's handle and role, whether an admin hides their pages, and whether the account was deleted or is frozen. The server keeps deleted accounts frozen. */
export function UserBadges({ user: { handle, role, frozen, pagesHidden, deletedAt } }: { user: AdminUser }) {
  const t = adminTexts.useT().users
  const language = useLanguage()
  return (
    <>
      {handle && <span className="text-sm text-muted-foreground">{`@${handle}`}</span>}
      {role === 'admin' && <Badge>{t.admin}</Badge>}
      {deletedAt ? (
        <Badge variant="destructive">{t.deletedOn(dateTime(deletedAt, language))}</Badge>
      ) : (
        frozen && <Badge variant="destructive">{t.frozen}</Badge>
      )}
      {pagesHidden && <Badge variant="outline">{t.pagesHidden}</Badge>}
    </>
  )
}
