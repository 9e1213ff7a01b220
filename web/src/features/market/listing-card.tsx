import { Eye } from 'lucide-react'
import { lazy, startTransition, Suspense, useState } from 'react'
import { useSeriesName } from '@/i18n/names'
import { ItemCard } from '@/components/item-card'
import { Points, PointWorth } from '@/components/points'
import { itemOf } from '@/components/shown-item'
import { marketTexts } from './texts'
import type { KeptListing as Listing } from '@/contract/on-sale'
import { cn } from '@/lib/cn'
import { dollars } from '@/lib/format'
import { Avatar } from '@/components/ui/avatar'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { BuyButtons } from './buy-buttons'

const Enlarged = lazy(() => import('@/components/enlarged'))

interface ListingCardProps {
  listing: Listing
  /** The user's balance; undefined while loading. */
  balanceCents: number | undefined
}

export function ListingCard({ listing, balanceCents }: ListingCardProps) {
  const t = marketTexts.useT().trade
  const { item, user } = listing
  const seller = user.firstName || t.anonymous
  const [bought, setBought] = useState<string>()
  // The entry may be listed again later, under another listing id.
  const ended = bought === listing.listingId ? t.gone.bought : listing.gone && t.gone[listing.gone]
  return (
    <ItemCard
      item={itemOf(listing)}
      level={2}
      className="group"
      pictureClassName={cn('transition-[opacity,filter]', ended && 'opacity-45 grayscale')}
      badges={item.grade === null && <Badge>{t.notGraded}</Badge>}
      over={<EnlargeButton listing={listing} />}
      facts={[
        { label: t.salePrice, value: <SalePrice cents={listing.salePriceCents} />, className: 'text-base' },
        { label: t.baseValue, value: <Points cents={item.baseValueCents} /> },
      ]}
      actions={
        <div className="flex items-center gap-2">
          {ended ? (
            <Button variant="secondary" disabled className="min-w-0 flex-1 text-muted-foreground disabled:opacity-100">
              {ended}
            </Button>
          ) : (
            <ListingActions
              listing={listing}
              balanceCents={balanceCents}
              onBought={() => setBought(listing.listingId)}
            />
          )}
        </div>
      }
    >
      <p className="mt-3 flex items-center gap-2 text-xs text-muted-foreground">
        <Avatar name={seller} imageUrl={user.profileImageUrl} className="size-6 text-[0.625rem]" />
        <span className="truncate">{seller}</span>
      </p>
    </ItemCard>
  )
}

function SalePrice({ cents }: { cents: number }) {
  return (
    <>
      <span>{dollars(cents)}</span>
      <PointWorth className="block text-[0.6875rem] leading-4" />
    </>
  )
}

function ListingActions({ listing, balanceCents, onBought }: ListingCardProps & { onBought: () => void }) {
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
