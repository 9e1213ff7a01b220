import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useT } from '@/i18n'
import { usePackName } from '@/i18n/names'
import type { Cover } from '@/lib/config'
import type { Pack } from '@/contract/types'
import { cn } from '@/lib/cn'
import { Art, type ArtLoading } from '@/components/ui/art'
import { Badge } from '@/components/ui/badge'
import { SealedMark } from '@/components/sealed/sealed-mark'
import { Coin, PointWorth } from '@/components/points'
import { Skeleton } from '@/components/ui/skeleton'
import { isOverPriceLimit } from './buy-state'
import { coverSizes } from './cover-sizes'
import { PackFigures, PackFiguresSkeleton } from './pack-figures'
import { storeTexts } from './texts'

interface PackCardProps {
  pack: Pack
  /** Whether the card is above the fold. */
  inSight: boolean
  /** The button below the price, layered above the link that covers the card. */
  action: ReactNode
}

export function PackCard({ pack, inSight, action }: PackCardProps) {
  const t = useT().catalogue.store
  const {
    sealed,
    store: { paused, tooDear },
  } = storeTexts.useT()
  const packName = usePackName()
  const price = pack.price.replace('$', '')
  return (
    <article className="group panel relative flex flex-col rounded-2xl p-4 transition-[border-color,transform] duration-200 hover:-translate-y-0.5 hover:border-line-strong motion-reduce:transform-none">
      <div className="relative grid h-72 place-items-center spotlight">
        <CardCover
          address={pack.coverImageUrl}
          sources={pack.coverSources}
          loading={inSight ? 'eager' : 'lazy'}
          className={cn(
            'transition-transform duration-300 group-hover:scale-[1.03] motion-reduce:transform-none',
            pack.soldOut && 'opacity-45',
          )}
        />
        <div className="absolute top-1 left-1 flex gap-1.5">
          {pack.isNew && <Badge variant="gold">{t.new}</Badge>}
          {pack.sealed && <SealedMark texts={sealed} sealed={pack.sealed} />}
          {!pack.isActive && !pack.soldOut && <Badge>{paused}</Badge>}
          {isOverPriceLimit(pack) && <Badge>{tooDear}</Badge>}
        </div>
      </div>
      <h3 className="mt-3 truncate text-[0.9375rem] font-semibold">
        <Link
          to="/pack/$packId"
          params={{ packId: pack.id }}
          className="after:absolute after:inset-0 after:rounded-2xl focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-offset-2 focus-visible:after:outline-ring"
        >
          {packName(pack)}
        </Link>
      </h3>
      <div className="mt-1 flex items-center justify-between gap-3">
        <p className="font-semibold tabular-nums" title={t.priceIn(price)}>
          <span className="flex items-center gap-1.5 leading-5">
            <Coin />
            <span>{price}</span>
          </span>
          {/* As high as the button together with the price: no card grows. */}
          <PointWorth className="block text-[0.6875rem] leading-3" />
        </p>
        <div className="relative">{action}</div>
      </div>
      <PackFigures pack={pack} loading="idle" />
    </article>
  )
}

interface CardCoverProps extends Pick<Cover, 'address' | 'sources'> {
  loading: ArtLoading
  className?: string
}

/** A box shadow inside the cover's outline: a drop-shadow of the image's own shape is expensive to paint. */
function CardCover({ address, sources, loading, className }: CardCoverProps) {
  return (
    <div
      className={cn(
        'relative isolate before:absolute before:inset-[2.75rem_2.5rem_2.125rem] before:-z-10 before:rounded-lg before:shadow-[0_14px_32px_26px_var(--shade)]',
        className,
      )}
    >
      <Art
        src={address}
        srcSet={sources || undefined}
        sizes={coverSizes.card}
        alt=""
        loading={loading}
        className="h-[17.5rem] w-auto [aspect-ratio:auto_25/36]"
      />
    </div>
  )
}

/** `cover` is the pack's picture, if it's known before the pack is loaded. */
export function PackCardSkeleton({ cover, loading }: { cover?: Cover | undefined; loading: ArtLoading }) {
  return (
    <div className="panel rounded-2xl p-4">
      <div className={cn('grid h-72 place-items-center', cover && 'spotlight')}>
        {cover ? (
          <CardCover address={cover.address} sources={cover.sources} loading={loading} />
        ) : (
          <Skeleton className="h-60 w-40 rounded-xl" />
        )}
      </div>
      <div className="h-[4.40625rem] pt-3">
        <Skeleton className="h-[1.40625rem] w-28" />
        <div className="mt-1 flex items-center justify-between">
          <Skeleton className="h-4 w-16" />
          <Skeleton className="h-8 w-24 rounded-lg" />
        </div>
      </div>
      <PackFiguresSkeleton />
    </div>
  )
}
