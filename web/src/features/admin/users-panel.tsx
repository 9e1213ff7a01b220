import { useInfiniteQuery } from '@tanstack/react-query'
import { Users } from 'lucide-react'
import { lazy, useState } from 'react'
import { type UserFilter, usersCsvUrl, usersQuery } from '@/api/admin-users'
import { useLanguage } from '@/i18n'
import type { AdminUser } from '@/contract/types'
import { dateTime, number, points } from '@/lib/format'
import { Badge } from '@/components/ui/badge'
import { DialogSlot } from '@/components/ui/dialog-slot'
import { Button } from '@/components/ui/button'
import { clearIfCurrent } from '@/components/ui/dialog'
import { Facts } from '@/components/ui/facts'
import { AdminList } from './admin-list'
import { adminTexts } from './texts'
import type { UserAct } from './user-dialog'
import { displayName } from './use-user-act-handlers'

const CreditDialog = lazy(() => import('./credit-dialog'))
const UserDialog = lazy(() => import('./user-dialog'))

interface UserAction {
  act: UserAct | 'credit'
  user: AdminUser
}

const roles = ['user', 'admin'] as const

/** All users, with what an admin can do for each. */
export default function UsersPanel() {
  const t = adminTexts.useT().users
  const [filter, setFilter] = useState<UserFilter>({})
  const [action, setAction] = useState<UserAction>()
  return (
    <>
      <AdminList
        list={useInfiniteQuery(usersQuery(filter))}
        label={t.list}
        failed={t.failed}
        search={{
          label: t.search,
          value: filter.search,
          onSearch: (search) => setFilter({ ...filter, search }),
        }}
        filter={{
          label: t.role,
          value: filter.role ?? '',
          options: [['', t.anyRole], ...roles.map((role) => [role, t.roles[role]] as const)],
          onChange: (role) => setFilter({ ...filter, role: role || undefined }),
        }}
        csv={{ url: usersCsvUrl(filter), label: t.csv }}
        empty={{ icon: <Users />, title: t.none, text: t.noneText }}
        entryHeight="h-48"
        skeletonCount={4}
        idOf={({ id }) => id}
      >
        {(user) => <UserCard user={user} onAct={(act) => setAction({ act, user })} />}
      </AdminList>
      <DialogSlot open={action !== undefined} onClose={() => setAction(undefined)}>
        {action && <ActionDialog {...action} onClose={() => setAction(clearIfCurrent(action))} />}
      </DialogSlot>
    </>
  )
}

function ActionDialog({ act, ...rest }: UserAction & { onClose: () => void }) {
  return act === 'credit' ? <CreditDialog {...rest} /> : <UserDialog act={act} {...rest} />
}

function UserCard({ user, onAct }: { user: AdminUser; onAct: (act: UserAction['act']) => void }) {
  const t = adminTexts.useT().users
  const language = useLanguage()
  const { id, walletAddress, firstName, role, balanceCents, sessions, createdAt } = user
  const acts = [
    role === 'admin' ? 'demote' : 'promote',
    'credit',
    ...(sessions > 0 ? ['signOut' as const] : []),
  ] as const
  return (
    <article className="panel rounded-2xl p-5">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h3 className="font-semibold">{firstName || t.noName}</h3>
        {role === 'admin' && <Badge>{t.admin}</Badge>}
        <span className="ml-auto flex gap-2">
          {acts.map((act) => (
            <Button
              key={act}
              size="sm"
              variant="secondary"
              aria-label={t[`${act}Of`](displayName(user))}
              onClick={() => onAct(act)}
            >
              {t[act]}
            </Button>
          ))}
        </span>
      </header>
      <p className="mt-1 font-mono text-xs break-all text-muted-foreground">{walletAddress}</p>
      <Facts
        layout="cells"
        facts={[
          { label: t.balance, value: points(balanceCents) },
          { label: t.sessions, value: number(sessions) },
          { label: t.joined, value: <time dateTime={createdAt}>{dateTime(createdAt, language)}</time> },
          { label: t.id, value: <span className="font-mono text-xs break-all">{id}</span>, wide: true },
        ]}
        className="mt-4"
      />
    </article>
  )
}
