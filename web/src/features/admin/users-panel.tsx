import { useInfiniteQuery } from '@tanstack/react-query'
import { Search, Users } from 'lucide-react'
import { type FormEvent, lazy, useId, useState } from 'react'
import { type UserFilter, usersCsvUrl, usersQuery } from '@/api/admin-users'
import { useLanguage } from '@/i18n'
import type { AdminUser } from '@/contract/types'
import { dateTime, number, points } from '@/lib/format'
import { Badge } from '@/components/ui/badge'
import { DialogSlot } from '@/components/ui/dialog-slot'
import { Button } from '@/components/ui/button'
import { clearIfCurrent } from '@/components/ui/dialog'
import { EmptyState } from '@/components/ui/empty-state'
import { Facts } from '@/components/ui/facts'
import { Input } from '@/components/ui/input'
import { LoadedGrid } from '@/components/ui/loaded-grid'
import { Select } from '@/components/ui/select'
import { Skeleton } from '@/components/ui/skeleton'
import { FileLink } from './file-link'
import { adminTexts } from './texts'
import type { UserAct } from './user-dialog'
import { nameOf } from './user-outcome'

const CreditDialog = lazy(() => import('./credit-dialog'))
const UserDialog = lazy(() => import('./user-dialog'))

interface Doing {
  act: UserAct | 'credit'
  user: AdminUser
}

/** Everybody, and what an admin may do for or with them. */
export default function UsersPanel() {
  const t = adminTexts.useT().users
  const [filter, setFilter] = useState<UserFilter>({})
  const [doing, setDoing] = useState<Doing>()
  const list = useInfiniteQuery(usersQuery(filter))
  return (
    <div className="space-y-4">
      <Finder filter={filter} onFind={setFilter} />
      <LoadedGrid
        list={list}
        label={t.list}
        failed={t.failed}
        columns="grid-cols-1"
        gap={12}
        skeleton={<Skeleton className="h-36 rounded-2xl" />}
        places={4}
        idOf={({ id }) => id}
        empty={
          <EmptyState icon={<Users />} title={t.none} text={t.noneText} level={3} className="panel rounded-2xl py-10" />
        }
      >
        {(user) => <Card user={user} onAct={(act) => setDoing({ act, user })} />}
      </LoadedGrid>
      <DialogSlot open={doing !== undefined} onClose={() => setDoing(undefined)}>
        {doing && <Acting {...doing} onClose={() => setDoing(clearIfCurrent(doing))} />}
      </DialogSlot>
    </div>
  )
}

function Acting({ act, ...rest }: Doing & { onClose: () => void }) {
  return act === 'credit' ? <CreditDialog {...rest} /> : <UserDialog act={act} {...rest} />
}

const roles = ['user', 'admin'] as const

function Finder({ filter, onFind }: { filter: UserFilter; onFind: (filter: UserFilter) => void }) {
  const t = adminTexts.useT().users
  const [search, setSearch] = useState(filter.search ?? '')
  const id = useId()
  const find = (event: FormEvent) => {
    event.preventDefault()
    onFind({ ...filter, search: search.trim() || undefined })
  }
  return (
    <form role="search" onSubmit={find} className="flex flex-wrap items-center gap-3">
      <Input
        type="search"
        aria-label={t.search}
        placeholder={t.search}
        value={search}
        onChange={({ target }) => setSearch(target.value)}
        autoComplete="off"
        className="min-w-0 flex-1 basis-40 lg:max-w-80"
      />
      <Button type="submit" variant="secondary" className="h-11">
        <Search aria-hidden />
        <span>{t.find}</span>
      </Button>
      <label htmlFor={id} className="ml-auto text-sm text-muted-foreground">
        {t.role}
      </label>
      <Select
        id={id}
        value={filter.role ?? ''}
        onChange={({ target }) => onFind({ ...filter, role: roles.find((role) => role === target.value) })}
        className="w-32"
      >
        <option value="">{t.anyRole}</option>
        {roles.map((role) => (
          <option key={role} value={role}>
            {t.roles[role]}
          </option>
        ))}
      </Select>
      <FileLink href={usersCsvUrl(filter)} label={t.csv} />
    </form>
  )
}

function Card({ user, onAct }: { user: AdminUser; onAct: (act: Doing['act']) => void }) {
  const t = adminTexts.useT().users
  const language = useLanguage()
  const { walletAddress, firstName, role, balanceCents, sessions, createdAt } = user
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
              aria-label={t[`${act}Of`](nameOf(user))}
              onClick={() => onAct(act)}
            >
              {t[act]}
            </Button>
          ))}
        </span>
      </header>
      <p className="mt-1 font-mono text-xs break-all text-muted-foreground">{walletAddress}</p>
      <Facts
        look="cells"
        facts={[
          { label: t.balance, value: points(balanceCents) },
          { label: t.sessions, value: number(sessions) },
          { label: t.joined, value: <time dateTime={createdAt}>{dateTime(createdAt, language)}</time> },
        ]}
        className="mt-4"
      />
    </article>
  )
}
