import { useLanguage } from '@/i18n'
import { storeTexts } from './texts'
import type { Item, Pack } from '@/contract/types'
import { dollars, percent, shortDate, shortDollars } from '@/lib/format'
import { Art, type ArtLoading } from '@/components/ui/art'
import { Facts } from '@/components/ui/facts'
import { Skeleton } from '@/components/ui/skeleton'

const none = '–'

interface PackFiguresProps {
  pack: Pack
  loading: ArtLoading
}

/** What a pack yields, on its store card: averages, the best card and the last big pull. All cards are equally high. */
export function PackFigures({ pack, loading }: PackFiguresProps) {
  const { pack: texts, store: t } = storeTexts.useT()
  const { topItem, lastBigPull, beatsPriceChance, approximate } = pack
  const chance = percent(beatsPriceChance, 0)
  return (
    <div className="mt-3 border-t pt-3">
      <Facts
        className="min-h-11 text-xs leading-5 *:flex-nowrap"
        facts={[
          { label: texts.expectedValue, value: topItem ? dollars(pack.expectedValueCents) : none },
          {
            label: t.chanceOf(shortDollars(pack.priceCents)),
            value: topItem ? (approximate ? t.about(chance) : chance) : none,
            className: 'whitespace-nowrap',
          },
        ]}
      />
      <dl className="mt-2 grid gap-1 text-xs">
        <Highlight label={t.bestCard} item={topItem} valueCents={topItem?.baseValueCents} loading={loading} />
        <Highlight
          label={t.lastBigPull}
          item={lastBigPull?.item}
          valueCents={lastBigPull?.valueCents}
          at={lastBigPull?.createdAt}
          loading={loading}
        />
      </dl>
    </div>
  )
}

interface HighlightProps {
  label: string
  item: Item | undefined
  valueCents: number | undefined
  /** When it was pulled. */
  at?: string | undefined
  loading: ArtLoading
}

function Highlight({ label, item, valueCents, at, loading }: HighlightProps) {
  const t = storeTexts.useT().store
  const language = useLanguage()
  return (
    <div className="grid h-10 grid-cols-[1.75rem_1fr_auto] items-center gap-x-2.5">
      <dt className="col-start-2 row-start-1 text-muted-foreground">{label}</dt>
      <dd className="col-start-1 row-start-1">
        {item ? (
          <Art src={item.imageUrl} alt={item.name} loading={loading} className="h-10 w-auto" />
        ) : (
          <span aria-hidden className="block h-10 w-6 rounded-sm border border-dashed border-line-strong" />
        )}
      </dd>
      <dd className="col-start-3 row-start-1 text-right font-semibold tabular-nums">
        {valueCents === undefined ? (
          <span className="font-normal text-muted-foreground">{t.noneYet}</span>
        ) : (
          <span>{dollars(valueCents)}</span>
        )}
        {at && (
          <time dateTime={at} className="block text-[0.6875rem] leading-4 font-normal text-muted-foreground">
            {shortDate(at, language)}
          </time>
        )}
      </dd>
    </div>
  )
}

/** As high as the figures. */
export function PackFiguresSkeleton() {
  return (
    <div className="mt-3 h-[9.5625rem] border-t pt-3">
      <Skeleton className="h-4" />
      <Skeleton className="mt-2 h-4 w-4/5" />
      <Skeleton className="mt-4 h-9" />
      <Skeleton className="mt-2 h-9" />
    </div>
  )
}
