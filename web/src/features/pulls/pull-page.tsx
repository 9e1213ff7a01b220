import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { BadgeCheck, PackageOpen } from 'lucide-react'
import type { ReactNode } from 'react'
import { sharedPullQuery } from '@/api/pulls'
import { HandleLink } from '@/components/handle-link'
import { ItemCard, ItemText } from '@/components/item-card'
import { ShareButton } from '@/components/share-button'
import { Slab } from '@/components/slab'
import type { SharedPull } from '@/contract/types'
import { useLanguage } from '@/i18n'
import { usePackName } from '@/i18n/names'
import { cn } from '@/lib/cn'
import { dateTime, dollars, shortPoints } from '@/lib/format'
import { usePageTitle } from '@/lib/page-title'
import { Avatar } from '@/components/ui/avatar'
import { Button } from '@/components/ui/button'
import { Loaded } from '@/components/ui/loaded'
import { PageNotFound } from '@/components/ui/page-not-found'
import { Skeleton } from '@/components/ui/skeleton'
import { pullsTexts } from './texts'

interface PullPageProps {
  openId: string
  /** Below the pull. */
  topPulls: (packId: string) => ReactNode
}

/** A pull that its owner shared, for everybody. */
export function PullPage({ openId, topPulls }: PullPageProps) {
  const t = pullsTexts.useT().pull
  return (
    <Loaded
      query={useQuery(sharedPullQuery(openId))}
      failed={t.failed}
      skeleton={<PullSkeleton />}
      unknown={<NotShared />}
    >
      {(pull) => (
        <>
          <Pull pull={pull} />
          <div className="mt-16">{topPulls(pull.pack.id)}</div>
        </>
      )}
    </Loaded>
  )
}

function NotShared() {
  const t = pullsTexts.useT().pull
  return (
    <PageNotFound
      title={t.unknown}
      text={t.unknownText}
      action={
        <Button asChild>
          <Link to="/open-packs">{t.toPacks}</Link>
        </Button>
      }
    />
  )
}

type Card = SharedPull['items'][number]

function Pull({ pull }: { pull: SharedPull }) {
  const t = pullsTexts.useT().pull
  const packName = usePackName()
  const [only, ...others] = pull.items
  const title = only && others.length === 0 ? only.item.name : t.title(pull.items.length, packName(pull.pack))
  usePageTitle(title)
  if (!only || others.length > 0) return <SeveralCards pull={pull} title={title} />
  return <OneCard pull={pull} card={only} />
}

interface PartProps {
  pull: SharedPull
}

function OneCard({ pull, card: { item } }: PartProps & { card: Card }) {
  const t = pullsTexts.useT().pull
  return (
    <article className="mx-auto grid max-w-5xl items-center gap-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,26rem)] xl:gap-14">
      <div className="panel relative grid place-items-center overflow-hidden rounded-3xl p-8 spotlight lg:py-12">
        <Slab item={item} glow loading="eager" className="w-full max-w-80 lift-high" />
      </div>
      <div>
        <Player pull={pull} />
        <ItemText item={item} level={1} linked size="large" />
        <Worth label={t.value} cents={pull.totalValueCents} className="mt-6" />
        <Origin pull={pull} className="mt-4 flex-col items-start" />
        <Actions pull={pull} title={item.name} className="mt-6" />
      </div>
    </article>
  )
}

/** So many cards share a row on wide screens; fewer are larger. */
const cardsPerRow = 5
const cardWidth = {
  few: 'w-[calc((100%-1.25rem)/2)] md:w-60',
  many: 'w-[calc((100%-1.25rem)/2)] md:w-[calc((100%-2.5rem)/3)] xl:w-[calc((100%-5rem)/5)]',
}

function SeveralCards({ pull, title }: PartProps & { title: string }) {
  const t = pullsTexts.useT().pull
  const { items } = pull
  return (
    <article>
      <header className="flex flex-wrap items-end justify-between gap-x-10 gap-y-6">
        <div>
          <Player pull={pull} />
          <h1 className="text-[1.75rem] leading-tight font-semibold tracking-tight">{title}</h1>
          <Origin pull={pull} className="mt-2" />
          <Actions pull={pull} title={title} className="mt-5" />
        </div>
        <Worth label={t.total} cents={pull.totalValueCents} className="md:text-right" />
      </header>
      <ul aria-label={t.cards} className="mt-8 flex flex-wrap justify-center gap-5">
        {items.map(({ item, valueCents }, index) => (
          <li key={`${item.id} ${index}`} className={items.length < cardsPerRow ? cardWidth.few : cardWidth.many}>
            <ItemCard
              item={item}
              level={2}
              loading="eager"
              pictureClassName="w-full"
              facts={[{ label: t.cardValue, value: dollars(valueCents) }]}
            />
          </li>
        ))}
      </ul>
    </article>
  )
}

/** Who pulled it, if their profile is public. */
function Player({ pull: { player } }: PartProps) {
  const t = pullsTexts.useT().pull
  if (!player) return null
  const { firstName, handle, picture } = player
  return (
    <p className="mb-5 flex items-center gap-3">
      <Avatar name={firstName || handle} imageUrl={picture} className="size-10" />
      <span className="min-w-0 leading-tight">
        <span className="block text-xs text-muted-foreground">{t.by}</span>
        {firstName && <span className="mr-1.5 font-semibold">{firstName}</span>}
        <HandleLink handle={handle} className="text-sm" />
      </span>
    </p>
  )
}

function Worth({ label, cents, className }: { label: string; cents: number; className: string }) {
  return (
    <p className={className}>
      <span className="block text-sm text-muted-foreground">{label}</span>
      <span className="text-3xl font-semibold tracking-tight tabular-nums">{dollars(cents)}</span>
    </p>
  )
}

/** Pack, price, time, and the link to the proof. */
function Origin({ pull, className }: PartProps & { className: string }) {
  const t = pullsTexts.useT().pull
  const language = useLanguage()
  const packName = usePackName()
  const { openId, pack, priceCents, createdAt } = pull
  return (
    <div className={cn('flex flex-wrap base:items-center gap-x-4 gap-y-2 text-sm text-muted-foreground', className)}>
      <p>{t.from(packName(pack), shortPoints(priceCents))}</p>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <time dateTime={createdAt} className="tabular-nums">
          {dateTime(createdAt, language)}
        </time>
        <Link
          to="/verify/$openId"
          params={{ openId }}
          aria-label={t.verifiedText}
          className="inline-flex items-center gap-1 rounded-full border border-line bg-muted px-2 py-0.5 text-xs font-medium text-positive-text hover:border-line-strong"
        >
          <BadgeCheck aria-hidden className="size-3.5" />
          <span>{t.verified}</span>
        </Link>
      </p>
    </div>
  )
}

function Actions({ pull, title, className }: PartProps & { title: string; className: string }): ReactNode {
  const t = pullsTexts.useT().pull
  return (
    <div className={cn('flex flex-wrap gap-3', className)}>
      <Button asChild>
        <Link to="/pack/$packId" params={{ packId: pull.pack.id }}>
          <PackageOpen aria-hidden />
          <span>{t.openPack}</span>
        </Link>
      </Button>
      <ShareButton title={title} path={`/pull/${pull.openId}`} words={t.share} />
    </div>
  )
}

function PullSkeleton() {
  return (
    <div className="mx-auto grid max-w-5xl items-center gap-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,26rem)] xl:gap-14">
      <Skeleton className="h-[36rem] rounded-3xl" />
      <div className="space-y-4">
        <Skeleton className="h-7 w-40" />
        <Skeleton className="h-20" />
        <Skeleton className="h-14 w-48" />
        <Skeleton className="h-10 w-64" />
      </div>
    </div>
  )
}
