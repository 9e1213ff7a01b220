import { useInfiniteQuery } from '@tanstack/react-query'
import { Users } from 'lucide-react'
import { useState } from 'react'
import { type UserFilter, usersCsvUrl, usersQuery } from '@/api/admin-users'
import { useLanguage } from '@/i18n'
import type { AdminUser } from '@/contract/types'
import { dateTime, number, points } from '@/lib/format'
import { Facts } from '@/components/ui/facts'
import { AdminList } from './admin-list'
import { anyTime, periodOf } from './period-filter'
import { adminTexts } from './texts'
import { UserActs } from './user-acts'
import { UserBadges } from './user-badges'
import { UserLink } from './user-link'

const roles = ['user', 'admin'] as const

/** All users, with what an admin can do for each. */
export default function UsersPanel() {
  const t = adminTexts.useT().users
  const [chosen, setChosen] = useState<UserFilter>({})
  const [days, setDays] = useState(anyTime)
  const filter = { ...chosen, ...periodOf(days) }
  return (
    <AdminList
      list={useInfiniteQuery(usersQuery(filter))}
      label={t.list}
      failed={t.failed}
      search={{
        label: t.search,
        value: filter.search,
        onSearch: (search) => setChosen({ ...chosen, search }),
      }}
      period={{ value: days, onChange: setDays }}
      filter={{
        label: t.role,
        value: filter.role ?? '',
        options: [['', t.anyRole], ...roles.map((role) => [role, t.roles[role]] as const)],
        onChange: (role) => setChosen({ ...chosen, role: role || undefined }),
      }}
      csv={{ url: usersCsvUrl(filter), label: t.csv }}
      empty={{ icon: <Users />, title: t.none, text: t.noneText }}
      entryHeight="h-36"
      skeletonCount={4}
      idOf={({ id }) => id}
    >
      {(user) => <UserCard user={user} />}
    </AdminList>
  )
}

function UserCard({ user }: { user: AdminUser }) {
  const t = adminTexts.useT().users
  const language = useLanguage()
  const { id, walletAddress, firstName, balanceCents, sessions, createdAt } = user
  return (
    <article className="panel rounded-2xl p-5">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h3 className="font-semibold">
          <UserLink id={id} walletAddress={walletAddress} name={firstName || t.noName} />
        </h3>
        <UserBadges user={user} />
        <UserActs user={user} className="ml-auto" />
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
