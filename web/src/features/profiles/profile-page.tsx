import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Check, Pencil } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { profileQuery } from '@/api/profile'
import { ItemCard } from '@/components/item-card'
import { Points } from '@/components/points'
import { ShareButton } from '@/components/share-button'
import type { Profile } from '@/contract/types'
import { useLanguage } from '@/i18n'
import { usePackName, useSeriesName } from '@/i18n/names'
import { cn } from '@/lib/cn'
import { config } from '@/lib/config'
import { dateTime, dollars, monthAndYear } from '@/lib/format'
import { usePageTitle } from '@/lib/page-title'
import { useSession } from '@/lib/session'
import { Avatar } from '@/components/ui/avatar'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Loaded } from '@/components/ui/loaded'
import { PageNotFound } from '@/components/ui/page-not-found'
import { Skeleton } from '@/components/ui/skeleton'
import { profilesTexts } from './texts'

/** A collector's public profile. */
export function ProfilePage({ handle }: { handle: string }) {
  const t = profilesTexts.useT().profile
  return (
    <Loaded
      query={useQuery(profileQuery(handle))}
      failed={t.failed}
      skeleton={<ProfileSkeleton />}
      unknown={<NotPublic />}
    >
      {(profile) => <Sections profile={profile} />}
    </Loaded>
  )
}

function NotPublic() {
  const t = profilesTexts.useT().profile
  return (
    <PageNotFound
      title={t.unknown}
      text={t.unknownText}
      action={
        <Button asChild>
          <Link to="/leaderboard">{t.toLeaderboard}</Link>
        </Button>
      }
    />
  )
}

function Sections({ profile }: { profile: Profile }) {
  const t = profilesTexts.useT().profile
  const { showcase, bestPulls, sets, listings } = profile
  const own = useSession().user?.handle === profile.handle
  return (
    <article className="space-y-12">
      <Header profile={profile} own={own} />
      <Section title={t.showcase} empty={showcase.length === 0 && (own ? t.ownShowcase : t.noShowcase)}>
        <ul className="grid grid-cols-2 gap-5 md:grid-cols-3 xl:grid-cols-6">
          {showcase.map(({ item, valueCents }, index) => (
            <li key={`${item.id} ${index}`}>
              <ItemCard item={item} level={3} size="brief" valueCents={valueCents} pictureClassName="w-full" />
            </li>
          ))}
        </ul>
      </Section>
      <Section title={t.best} empty={bestPulls.length === 0 && t.noBest}>
        <ul className="grid gap-4 md:grid-cols-2 xl:grid-cols-3">
          {bestPulls.map((pull, index) => (
            <li key={`${pull.item.id} ${pull.createdAt} ${index}`}>
              <BestPull pull={pull} />
            </li>
          ))}
        </ul>
      </Section>
      <Section title={t.sets} empty={sets.length === 0 && t.noSets}>
        <ul className="grid gap-4 md:grid-cols-2 xl:grid-cols-3">
          {sets.map((set) => (
            <li key={set.id}>
              <OwnedSet set={set} />
            </li>
          ))}
        </ul>
      </Section>
      {config.rules.market && (
        <Section title={t.listings} empty={listings.length === 0 && t.noListings}>
          <ul className="grid grid-cols-2 gap-5 md:grid-cols-3 xl:grid-cols-6">
            {listings.map(({ item, priceCents }, index) => (
              <li key={`${item.id} ${index}`}>
                <ItemCard
                  item={item}
                  level={3}
                  size="brief"
                  pictureClassName="w-full"
                  facts={[
                    { label: t.price, value: <Points cents={priceCents} /> },
                    { label: t.value, value: dollars(item.baseValueCents) },
                  ]}
                />
              </li>
            ))}
          </ul>
        </Section>
      )}
    </article>
  )
}

function Header({ profile, own }: { profile: Profile; own: boolean }) {
  const t = profilesTexts.useT().profile
  const language = useLanguage()
  const { handle, firstName, picture, memberSince } = profile
  const title = t.title(firstName, handle)
  usePageTitle(title)
  return (
    <header className="flex flex-wrap items-center justify-between gap-x-8 gap-y-5">
      <div className="flex min-w-0 items-center gap-5">
        <Avatar name={firstName || handle} imageUrl={picture} className="size-20 text-2xl" />
        <div className="min-w-0">
          <h1 className="text-[1.75rem] leading-tight font-semibold tracking-tight break-words">
            {firstName || `@${handle}`}
          </h1>
          <p className="mt-1 flex flex-wrap gap-x-3 text-muted-foreground">
            {firstName && <span>{`@${handle}`}</span>}
            <span>{t.since(monthAndYear(memberSince, language))}</span>
          </p>
        </div>
      </div>
      <div className="flex flex-wrap gap-3">
        {own && (
          <Button asChild variant="secondary">
            <Link to="/account" hash="profile">
              <Pencil aria-hidden />
              <span>{t.edit}</span>
            </Link>
          </Button>
        )}
        <ShareButton title={title} path={`/u/${handle}`} words={t.share} />
      </div>
    </header>
  )
}

interface SectionProps {
  title: string
  /** What to say if there is nothing to show. */
  empty: string | false
  children: ReactNode
}

function Section({ title, empty, children }: SectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="mb-5 text-xl font-semibold tracking-tight">
        {title}
      </h2>
      {empty ? (
        <p className="rounded-2xl border border-dashed border-line-strong px-6 py-8 text-center text-sm text-muted-foreground">
          {empty}
        </p>
      ) : (
        children
      )}
    </section>
  )
}

function BestPull({ pull: { item, valueCents, pack, createdAt, openId } }: { pull: Profile['bestPulls'][number] }) {
  const t = profilesTexts.useT().profile
  const language = useLanguage()
  const packName = usePackName()
  return (
    <ItemCard
      item={item}
      level={3}
      layout="row"
      valueCents={valueCents}
      pictureClassName="h-28 lift"
      className="h-full transition-colors hover:border-line-strong"
    >
      <p className="mt-2 flex flex-wrap gap-x-3 text-xs text-muted-foreground tabular-nums">
        <span>{t.from(packName(pack))}</span>
        <time dateTime={createdAt}>{dateTime(createdAt, language)}</time>
      </p>
      {openId && (
        <p className="mt-1.5 text-[0.8125rem] font-medium">
          <Link
            to="/pull/$openId"
            params={{ openId }}
            className="relative z-1 rounded-sm text-gold-text underline-offset-4 hover:underline"
          >
            {t.seePull}
          </Link>
        </p>
      )}
    </ItemCard>
  )
}

function OwnedSet({ set: { id, series, setName, owned, total } }: { set: Profile['sets'][number] }) {
  const t = profilesTexts.useT().profile
  const seriesName = useSeriesName()
  const complete = owned >= total
  return (
    <div className="panel relative h-full rounded-2xl p-4 transition-colors hover:border-line-strong has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ring">
      <h3 className="text-sm leading-5 font-medium text-pretty">
        <Link
          to="/sets/$setId"
          params={{ setId: id }}
          className="outline-none after:absolute after:inset-0 after:rounded-2xl"
        >
          {setName || seriesName(series)}
        </Link>
      </h3>
      <p className="mt-1 mb-2 flex items-center justify-between gap-3 text-sm text-muted-foreground tabular-nums">
        <span>{setName ? seriesName(series) : t.wholeSeries}</span>
        {complete ? (
          <Badge variant="positive">
            <Check aria-hidden />
            <span>{t.complete}</span>
          </Badge>
        ) : (
          <span>{t.progress(owned, total)}</span>
        )}
      </p>
      <div aria-hidden className="h-1.5 overflow-hidden rounded-full bg-muted">
        <div
          className={cn('h-full rounded-full', complete ? 'bg-positive-text' : 'bg-gold')}
          style={{ width: `max(6px, ${(Math.min(owned, total) / total) * 100}%)` }}
        />
      </div>
    </div>
  )
}

function ProfileSkeleton() {
  return (
    <div className="space-y-12">
      <div className="flex items-center gap-5">
        <Skeleton className="size-20 rounded-full" />
        <div className="space-y-2">
          <Skeleton className="h-8 w-48" />
          <Skeleton className="h-5 w-32" />
        </div>
      </div>
      <div className="grid grid-cols-2 gap-5 md:grid-cols-3 xl:grid-cols-6">
        {Array.from({ length: 6 }, (_, index) => (
          <Skeleton key={index} className="h-80 rounded-2xl" />
        ))}
      </div>
    </div>
  )
}
