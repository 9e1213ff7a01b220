import { Link } from '@tanstack/react-router'
import { ArrowLeft, Check, Library } from 'lucide-react'
import type { ReactNode } from 'react'
import { useSet, useSetCards } from '@/api/sets'
import { ItemCard, ItemCardSkeleton } from '@/components/item-card'
import { useSeriesName } from '@/i18n/names'
import type { Duplicates, Finish, SetCard, SetPage as SetData } from '@/contract/types'
import { cn } from '@/lib/cn'
import { config } from '@/lib/config'
import { dollars } from '@/lib/format'
import { usePageTitle } from '@/lib/page-title'
import { useSession } from '@/lib/session'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { Loaded } from '@/components/ui/loaded'
import { LoadedGrid } from '@/components/ui/loaded-grid'
import { PageNotFound } from '@/components/ui/page-not-found'
import { Skeleton } from '@/components/ui/skeleton'
import { DuplicatesPanel, FinishPanel } from './finish-panel'
import type { SetMarketSlots } from './market-slots'
import { Progress } from './progress'
import { setsTexts } from './texts'

interface SetPageProps extends SetMarketSlots {
  id: string
}

/** A series or set: progress, what finishing it costs, and its cards, missing ones as silhouettes. */
export function SetPage({ id, ...slots }: SetPageProps) {
  const t = setsTexts.useT().set
  return (
    <Loaded
      query={useSet(id)}
      failed={t.failed}
      skeleton={<Skeleton className="h-96 rounded-2xl" />}
      unknown={<NotFound />}
    >
      {(set) => <Detail set={set} {...slots} />}
    </Loaded>
  )
}

function NotFound() {
  const t = setsTexts.useT().set
  return (
    <PageNotFound
      title={t.unknown}
      text={t.unknownText}
      action={
        <Button asChild>
          <Link to="/sets">{t.back}</Link>
        </Button>
      }
    />
  )
}

function Detail({ set, ...slots }: SetMarketSlots & { set: SetData }) {
  const t = setsTexts.useT().set
  const seriesName = useSeriesName()
  const series = seriesName(set.series)
  const { finish, duplicates } = set
  usePageTitle(set.name || series)
  return (
    <div className="space-y-8">
      <header className="space-y-4">
        <Link
          to="/sets"
          className="inline-flex items-center gap-1.5 rounded-sm text-sm text-muted-foreground hover:text-foreground"
        >
          <ArrowLeft aria-hidden className="size-4" />
          <span>{t.back}</span>
        </Link>
        <div>
          <h1 className="text-[1.75rem] leading-tight font-semibold tracking-tight text-pretty">
            {set.name || series}
          </h1>
          <p className="mt-1 text-muted-foreground">{set.name ? t.seriesText(series) : t.wholeText}</p>
        </div>
        <div className="max-w-md">
          <Progress set={set} />
        </div>
        <SignIn />
      </header>
      {finish && duplicates && <Panels finish={finish} duplicates={duplicates} set={set} {...slots} />}
      <Cards set={set} trade={slots.trade} />
    </div>
  )
}

/** Signed out, progress is unknown. */
function SignIn() {
  const t = setsTexts.useT().set
  const { status, connect } = useSession()
  if (status !== 'signed-out') return null
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-2 text-sm text-muted-foreground">
      <span>{t.signIn}</span>
      <Button size="sm" variant="secondary" onClick={connect}>
        {t.connect}
      </Button>
    </p>
  )
}

interface PanelsProps extends SetMarketSlots {
  set: SetData
  finish: Finish
  duplicates: Duplicates
}

function Panels({ set, finish, duplicates, addToCart, bidOn }: PanelsProps) {
  const showsFinish = config.rules.market || finish.missingCount === 0
  const hasDuplicates = duplicates.count > 0
  return (
    <div
      className={cn('grid items-start gap-5 empty:hidden', showsFinish && hasDuplicates && 'lg:grid-cols-[3fr_2fr]')}
    >
      {showsFinish && <FinishPanel finish={finish} addToCart={addToCart} bidOn={bidOn} />}
      {hasDuplicates && <DuplicatesPanel set={set} duplicates={duplicates} />}
    </div>
  )
}

function Cards({ set, trade }: Pick<SetMarketSlots, 'trade'> & { set: SetData }) {
  const t = setsTexts.useT().set
  const cards = useSetCards(set.id)
  const signedIn = set.ownedCount !== undefined
  return (
    <section aria-labelledby="set-cards">
      <h2 id="set-cards" className="sr-only">
        {t.list}
      </h2>
      <LoadedGrid
        list={cards}
        label={t.list}
        failed={t.failed}
        columns="grid-cols-2 lg:grid-cols-3 xl:grid-cols-5"
        skeleton={<ItemCardSkeleton pictureClassName="w-4/5" />}
        skeletonCount={10}
        idOf={({ item }) => item.id}
        empty={<EmptyState icon={<Library />} title={t.unknown} text={t.emptyText} className="panel rounded-2xl" />}
      >
        {(card) => <Card card={card} signedIn={signedIn} trade={trade} />}
      </LoadedGrid>
    </section>
  )
}

interface CardProps extends Pick<SetMarketSlots, 'trade'> {
  card: SetCard
  signedIn: boolean
}

/** A card: owned ones in full color, missing ones as silhouettes. For signed-out visitors, none is missing. */
function Card({ card, signedIn, trade }: CardProps) {
  const t = setsTexts.useT().set
  const { item, ownedCount, ownedIds } = card
  const { setNumber } = item
  const owned = ownedCount > 0
  const missing = signedIn && !owned
  const [inventoryId] = ownedIds
  const buttons: ReactNode = owned ? null : trade(card)
  return (
    <ItemCard
      item={inventoryId === undefined ? item : { ...item, inventoryId }}
      level={3}
      size="plain"
      pictureClassName={cn('w-4/5', missing && silhouette)}
      badges={setNumber && <Badge variant="outline">{t.number(setNumber)}</Badge>}
      facts={[{ label: t.value, value: dollars(item.baseValueCents) }]}
      actions={
        owned ? (
          <p className="flex h-8 items-center justify-center gap-2 text-[0.8125rem] font-medium text-positive-text">
            <Check aria-hidden className="size-4" />
            <span>{t.owned(ownedCount)}</span>
          </p>
        ) : (
          <>
            {missing && <p className="text-center text-[0.8125rem] text-muted-foreground">{t.missing}</p>}
            {buttons}
          </>
        )
      }
    />
  )
}

/** The picture of a missing card: its outline and the shapes on it, without colors. */
const silhouette = 'opacity-40 grayscale contrast-50 transition-[opacity,filter] hover:opacity-80'
