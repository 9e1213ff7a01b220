import { lazy, useState } from 'react'
import type { AdminUser } from '@/contract/types'
import { cn } from '@/lib/cn'
import { Button } from '@/components/ui/button'
import { clearIfCurrent } from '@/components/ui/dialog'
import { DialogSlot } from '@/components/ui/dialog-slot'
import { adminTexts } from './texts'
import type { UserAct } from './user-dialog'
import { displayName } from './use-user-act-handlers'

const CreditDialog = lazy(() => import('./credit-dialog'))
const UserDialog = lazy(() => import('./user-dialog'))

interface UserActsProps {
  user: AdminUser
  className?: string
}

/** What an admin can do for a user, each with its dialog. */
export function UserActs({ user, className }: UserActsProps) {
  const t = adminTexts.useT().users
  const [act, setAct] = useState<UserAct | 'credit'>()
  const acts = [
    user.role === 'admin' ? 'demote' : 'promote',
    'credit',
    ...(user.sessions > 0 ? ['signOut' as const] : []),
  ] as const
  const onClose = () => setAct(clearIfCurrent(act))
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
        {act === 'credit' && <CreditDialog user={user} onClose={onClose} />}
        {act !== undefined && act !== 'credit' && <UserDialog act={act} user={user} onClose={onClose} />}
      </DialogSlot>
    </span>
  )
}
