import { lazy, useState } from 'react'
import type { AdminUser } from '@/contract/types'
import { cn } from '@/lib/cn'
import { Button } from '@/components/ui/button'
import { clearIfCurrent } from '@/components/ui/dialog'
import { DialogSlot } from '@/components/ui/dialog-slot'
import { displayName } from './display-name'
import { adminTexts } from './texts'
import type { PointsAct } from './points-dialog'
import type { UserAct } from './user-dialog'

const PointsDialog = lazy(() => import('./points-dialog'))
const UserDialog = lazy(() => import('./user-dialog'))

interface UserActsProps {
  user: AdminUser
  /** Also offers to freeze the account, take points back, and change what others see of the user. */
  moderation?: boolean
  className?: string
}

/** What an admin can do for a user, each with its dialog. Nothing for a deleted one. */
export function UserActs({ user, moderation = false, className }: UserActsProps) {
  const t = adminTexts.useT().users
  const [act, setAct] = useState<UserAct | PointsAct>()
  const acts = [
    user.role === 'admin' ? 'demote' : 'promote',
    'credit',
    ...(moderation ? moderationActs(user) : []),
    ...(user.sessions > 0 ? ['signOut' as const] : []),
  ] as const
  const onClose = () => setAct(clearIfCurrent(act))
  if (user.deletedAt) return null
  return (
    <span className={cn('flex gap-2', className)}>
      {acts.map((one) => (
        <Button
          key={one}
          size="sm"
          variant="secondary"
          aria-label={t[`${one}Of`](displayName(user))}
          onClick={() => setAct(one)}
        >
          {t[one]}
        </Button>
      ))}
      <DialogSlot open={act !== undefined} onClose={() => setAct(undefined)}>
        {act === 'credit' || act === 'debit' ? (
          <PointsDialog act={act} user={user} onClose={onClose} />
        ) : (
          act && <UserDialog act={act} user={user} onClose={onClose} />
        )}
      </DialogSlot>
    </span>
  )
}

function moderationActs({ role, frozen, profileLocked, handle, pagesHidden }: AdminUser) {
  return [
    'debit',
    ...(role === 'admin' ? [] : [frozen ? ('unfreeze' as const) : ('freeze' as const)]),
    ...(profileLocked ? (['unlockProfile'] as const) : (['resetProfile', 'hideProfile'] as const)),
    ...(handle ? (['removeHandle'] as const) : []),
    pagesHidden ? ('showPages' as const) : ('hidePages' as const),
  ] as const
}
