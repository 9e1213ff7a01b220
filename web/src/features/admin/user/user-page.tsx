import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { userPageQuery } from '@/api/admin-users'
import { useLanguage } from '@/i18n'
import type { AdminUserPage } from '@/contract/types'
import { dateTime, dollars, number, points } from '@/lib/format'
import { Avatar } from '@/components/ui/avatar'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Copyable } from '@/components/ui/copyable'
import { Facts } from '@/components/ui/facts'
import { Loaded } from '@/components/ui/loaded'
import { PageHeader } from '@/components/ui/page-header'
import { Skeleton } from '@/components/ui/skeleton'
import { AdminSearch } from '../admin-search'
import { displayName } from '../display-name'
import { adminTexts } from '../texts'
import { UserActs } from '../user-acts'
import { UserBadges } from '../user-badges'
import { UserTabs } from './user-tabs'

/** An admin's page of a user: profile, balance and acts, and tabs with all records of the user. */
export function UserPage({ id }: { id: string }) {
  const t = adminTexts.useT().user
  return (
    <Loaded
      query={useQuery(userPageQuery(id))}
      failed={t.failed}
      skeleton={<Skeleton className="h-96 rounded-2xl" />}
      unknown={
        <>
          <PageHeader title={t.unknown} text={t.unknownText}>
            <AdminSearch />
          </PageHeader>
          <Back />
        </>
      }
    >
      {(user) => (
        <>
          <PageHeader title={displayName(user)} text={t.text}>
            <AdminSearch />
          </PageHeader>
          <div className="space-y-6">
            <Profile user={user} />
            <UserTabs user={user} />
          </div>
        </>
      )}
    </Loaded>
  )
}

function Back() {
  const t = adminTexts.useT().user
  return (
    <Button asChild variant="secondary">
      <Link to="/admin" search={{ tab: 'users' }}>
        <ArrowLeft aria-hidden />
        <span>{t.back}</span>
      </Link>
    </Button>
  )
}

function Profile({ user }: { user: AdminUserPage }) {
  const { user: t, users } = adminTexts.useT()
  const language = useLanguage()
  const { firstName, balanceCents, heldCents, entries, opens, openBids, sessions, lastSeenAt, createdAt } = user
  const time = (at: string) => <time dateTime={at}>{dateTime(at, language)}</time>
  return (
    <section aria-label={displayName(user)} className="panel rounded-2xl p-5">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Avatar name={displayName(user)} imageUrl={user.picture} address={user.walletAddress} className="size-11" />
        <h2 className="text-lg font-semibold">{firstName || users.noName}</h2>
        <UserBadges user={user} />
        <PendingDeletion user={user} />
        {user.profileLocked && <Badge variant="outline">{users.profileLocked}</Badge>}
        <UserStops user={user} />
        <UserActs user={user} moderation className="ml-auto flex-wrap" />
      </header>
      {user.freeze && (
        <p className="mt-3 flex flex-wrap gap-x-2 text-sm">
          <span>{users.frozenFor(user.freeze.reason)}</span>
          {time(user.freeze.since)}
        </p>
      )}
      {user.profileLockReason && <p className="mt-3 text-sm">{users.lockedFor(user.profileLockReason)}</p>}
      <dl className="mt-3 grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 text-xs">
        <Identifier label={t.wallet} value={user.walletAddress} />
        <Identifier label={t.tag} value={user.userTag} />
        <Identifier label={t.id} value={user.id} />
      </dl>
      <Facts
        layout="cells"
        facts={[
          { label: users.balance, value: points(balanceCents) },
          { label: t.held, value: points(heldCents) },
          { label: t.collection, value: t.collectionOf(entries.count, dollars(entries.valueCents)) },
          { label: t.opens, value: number(opens) },
          { label: t.openBids, value: number(openBids) },
          { label: users.sessions, value: number(sessions) },
          { label: t.lastSeen, value: lastSeenAt ? time(lastSeenAt) : t.signedOut },
          { label: users.joined, value: time(createdAt) },
        ]}
        className="mt-4"
      />
    </section>
  )
}

/** When the account will be deleted as the user asked, and what that waits for once it is due. */
function PendingDeletion({ user: { deletion } }: { user: AdminUserPage }) {
  const t = adminTexts.useT().users
  const language = useLanguage()
  if (!deletion) return null
  const { dueAt, waitsFor } = deletion
  return (
    <Badge variant="outline" className="whitespace-normal">
      {t.deletion(dateTime(dueAt, language), waitsFor && t.deletionWaitsFor[waitsFor])}
    </Badge>
  )
}

/** A time-out or exclusion that the user chose. */
function UserStops({ user: { limits } }: { user: AdminUserPage }) {
  const t = adminTexts.useT().user.limits
  const language = useLanguage()
  return (
    <>
      {limits.timedOut?.until && (
        <Badge variant="outline">{t.timedOut(dateTime(limits.timedOut.until, language))}</Badge>
      )}
      {limits.excluded && (
        <Badge variant="outline">
          {limits.excluded.until ? t.excluded(dateTime(limits.excluded.until, language)) : t.excludedForGood}
        </Badge>
      )}
    </>
  )
}

function Identifier({ label, value }: { label: string; value: string }) {
  const t = adminTexts.useT().user
  return (
    <>
      <dt className="text-muted-foreground">{label}</dt>
      <dd>
        <Copyable text={value} words={t.copy} label={label} />
      </dd>
    </>
  )
}
