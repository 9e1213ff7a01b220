import { Link } from '@tanstack/react-router'
import { Eye } from 'lucide-react'
import { lazy, startTransition, Suspense, useState } from 'react'
import { useBuy } from '@/api/trade'
import { ItemCard } from '@/domain/item-card'
import { Points, PointWorth } from '@/domain/points'
import { itemOf } from '@/domain/shown-item'
import { useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { tradeTexts } from './texts/trade'
import { unanswered } from '@/lib/contract/error'
import type { KeptListing as Listing } from '@/lib/contract/on-sale'
import { cn } from '@/lib/cn'
import { dollars } from '@/lib/format'
import { useSession } from '@/lib/session'
import { toast } from '@/lib/toast'
import { Avatar } from '@/ui/avatar'
import { Badge } from '@/ui/badge'
import { Button } from '@/ui/button'
import { Spinner } from '@/ui/spinner'

const AddButton = lazy(() => import('./cart/add-button'))
const Enlarged = lazy(() => import('@/domain/enlarged'))

interface ListingCardProps {
  listing: Listing
  /** The visitor's; undefined while it is unknown. */
  balanceCents: number | undefined
}

/** Something for sale. */
export function ListingCard({ listing, balanceCents }: ListingCardProps) {
  const t = tradeTexts.useT()
  const { item, user } = listing
  const seller = user.firstName || t.anonymous
  return (
    <ItemCard
      item={itemOf(listing)}
      level={2}
      className="group"
      pictureClassName={cn('transition-[opacity,filter]', listing.gone && 'opacity-45 grayscale')}
      badges={item.grade === null && <Badge>{t.notGraded}</Badge>}
      over={<View listing={listing} />}
      facts={[
        { label: t.salePrice, value: <SalePrice cents={listing.salePriceCents} />, className: 'text-base' },
        { label: t.baseValue, value: <Points cents={item.baseValueCents} /> },
      ]}
      actions={
        <div className="flex items-center gap-2">
          <Way listing={listing} balanceCents={balanceCents} />
          {!listing.own && !listing.gone && <ToCart listing={listing} />}
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
      {dollars(cents)}
      <PointWorth className="block text-[0.6875rem] leading-4" />
    </>
  )
}

/** What the visitor can do about it. */
function Way({ listing, balanceCents }: ListingCardProps) {
  const t = tradeTexts.useT()
  if (listing.gone) {
    return (
      <Button variant="secondary" disabled className="min-w-0 flex-1 text-muted-foreground disabled:opacity-100">
        {t.gone[listing.gone]}
      </Button>
    )
  }
  if (listing.own) {
    return (
      <p className="grid h-10 flex-1 place-items-center rounded-lg bg-muted text-sm text-muted-foreground">{t.yours}</p>
    )
  }
  if (balanceCents === undefined || balanceCents >= listing.salePriceCents) return <BuyButton listing={listing} />
  return (
    <Button asChild variant="secondary" className="min-w-0 flex-1">
      <Link to="/topup">{t.topUp(dollars(listing.salePriceCents - balanceCents))}</Link>
    </Button>
  )
}

function ToCart({ listing: { id, salePriceCents, item } }: { listing: Listing }) {
  const { name, imageUrl, rarity, grade, series } = item
  return (
    <Suspense fallback={<div className="size-10 shrink-0" />}>
      <AddButton
        line={{ inventoryId: id, priceCents: salePriceCents, item: { name, imageUrl, rarity, grade, series } }}
        className="size-10"
      />
    </Suspense>
  )
}

/** Whoever points at the item or comes by keyboard can see it large. */
function View({ listing: { item } }: { listing: Listing }) {
  const t = tradeTexts.useT()
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
        {t.view}
      </Button>
      <Suspense>{open && <Enlarged item={item} text={item.series} onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}

function BuyButton({ listing: { id, listingId, item, salePriceCents } }: { listing: Listing }) {
  const texts = useT()
  const t = tradeTexts.useT()
  const { frozen } = useSession()
  const buying = useBuy({
    onDone: () => toast({ title: t.bought, description: t.boughtText }),
    onFailed: (error) => {
      const why = errorText(error, texts)
      toast({
        title: t.buyFailed,
        description: unanswered(error) ? `${why} ${t.buyUnsure}` : why,
        variant: 'destructive',
      })
    },
  })
  const price = dollars(salePriceCents)
  return (
    <Button
      aria-label={t.buyItem(price, item.name)}
      disabled={frozen || buying.isPending}
      onClick={() => buying.mutate({ inventoryId: id, listingId, expectedPriceCents: salePriceCents })}
      className="min-w-0 flex-1"
    >
      {buying.isPending && <Spinner />}
      {t.buy(price)}
    </Button>
  )
}
