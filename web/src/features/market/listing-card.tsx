import { Check, Eye } from 'lucide-react'
import { lazy, startTransition, Suspense, useState } from 'react'
import { useSeriesName } from '@/i18n/names'
import { HandleLink } from '@/components/handle-link'
import { Points, PointWorth } from '@/components/points'
import { itemOf } from '@/components/shown-item'
import { Slab } from '@/components/slab'
import { marketTexts } from './texts'
import type { KeptListing as Listing } from '@/contract/on-sale'
import { cn } from '@/lib/cn'
import { Avatar } from '@/components/ui/avatar'
import { Button } from '@/components/ui/button'
import { Facts } from '@/components/ui/facts'
import { BuyButtons } from './buy-buttons'
import { ListingTitle } from './listing-title'

const Enlarged = lazy(() => import('@/components/enlarged'))

interface ListingCardProps {
  listing: Listing
  /** The user's balance; undefined while loading. */
  balanceCents: number | undefined
  /** Whether the user has just bought it. */
  bought: boolean
  onBought: () => void
}

export function ListingCard({ listing, balanceCents, bought, onBought }: ListingCardProps) {
  const t = marketTexts.useT().trade
  const { item, user } = listing
  const seller = user.firstName || t.anonymous
  const ended = bought ? t.gone.bought : listing.gone && t.gone[listing.gone]
  return (
    <article className="group panel flex h-full flex-col rounded-2xl p-4">
      <div className={cn('relative mx-auto w-3/5 transition-[opacity,filter]', ended && 'opacity-45 grayscale')}>
        <Slab item={item} className="lift" />
        <EnlargeButton listing={listing} />
      </div>
      <div className="mt-4 flex flex-1 flex-col">
        <ListingTitle item={itemOf(listing)} />
        <p className="mt-3 flex items-center gap-2 text-xs text-muted-foreground">
          <Avatar name={seller} imageUrl={user.profileImageUrl} className="size-6 text-[0.625rem]/[inherit]" />
          <span className="min-w-0 break-words">{seller}</span>
          {user.handle && <HandleLink handle={user.handle} className="min-w-0 truncate" />}
        </p>
        <Facts
          className="mt-auto pt-3"
          facts={[
            { label: t.salePrice, value: <SalePrice cents={listing.salePriceCents} />, className: 'text-base' },
            { label: t.baseValue, value: <Points cents={item.baseValueCents} className="font-medium" /> },
          ]}
        />
        <div className="flex items-center gap-2 pt-3">
          {ended ? (
            <Button
              variant="secondary"
              disabled
              className={cn(
                'min-w-0 flex-1 disabled:opacity-100',
                bought ? 'text-positive-text' : 'text-muted-foreground',
              )}
            >
              {bought && <Check aria-hidden />}
              <span>{ended}</span>
            </Button>
          ) : (
            <ListingActions listing={listing} balanceCents={balanceCents} onBought={onBought} />
          )}
        </div>
      </div>
    </article>
  )
}

function SalePrice({ cents }: { cents: number }) {
  return (
    <>
      <Points cents={cents} />
      <PointWorth className="block text-[0.6875rem] leading-4" />
    </>
  )
}

function ListingActions({ listing, balanceCents, onBought }: Omit<ListingCardProps, 'bought'>) {
  const t = marketTexts.useT().trade
  if (listing.own) {
    return (
      <p className="grid h-10 flex-1 place-items-center rounded-lg bg-muted text-sm text-muted-foreground">{t.yours}</p>
    )
  }
  return <BuyButtons listing={listing} balanceCents={balanceCents} onBought={onBought} />
}

/** Enlarges the item; shown on hover, focus and touch screens. */
function EnlargeButton({ listing: { item } }: { listing: Listing }) {
  const t = marketTexts.useT().trade
  const seriesName = useSeriesName()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="secondary"
        size="sm"
        aria-label={t.viewItem(item.name)}
        onClick={() => startTransition(() => setOpen(true))}
        className="absolute bottom-3 left-1/2 -translate-x-1/2 opacity-0 transition-opacity group-hover:opacity-100 focus-visible:opacity-100 pointer-coarse:opacity-100"
      >
        <Eye aria-hidden />
        <span>{t.view}</span>
      </Button>
      <Suspense>
        {open && <Enlarged item={item} text={seriesName(item.series)} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  )
}
