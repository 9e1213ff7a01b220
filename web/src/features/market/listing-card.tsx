import { Link } from '@tanstack/react-router'
import { Eye } from 'lucide-react'
import { lazy, startTransition, Suspense, useState } from 'react'
import { useBuy } from '@/api/trade'
import { useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { marketTexts } from './texts'
import { tradeTexts } from './texts/trade'
import { unanswered } from '@/lib/contract/error'
import type { Listing } from '@/lib/contract/types'
import { dollars } from '@/lib/format'
import { useSession } from '@/lib/session'
import { toast } from '@/lib/toast'
import { Avatar } from '@/ui/avatar'
import { Badge } from '@/ui/badge'
import { Button } from '@/ui/button'
import { CertificateLink } from '@/domain/certificate-link'
import { Points } from '@/domain/points'
import { RarityBadge } from '@/domain/rarity-badge'
import { Slab } from '@/domain/slab'
import { Spinner } from '@/ui/spinner'

const Enlarged = lazy(() => import('@/domain/enlarged'))

interface ListingCardProps {
  listing: Listing
  /** The visitor's; undefined while it is unknown. */
  balanceCents: number | undefined
}

/** Something for sale. */
export function ListingCard({ listing, balanceCents }: ListingCardProps) {
  const { grade } = marketTexts.useT()
  const t = tradeTexts.useT()
  const { item, user } = listing
  const seller = user.firstName || t.anonymous
  return (
    <article className="panel group flex h-full flex-col rounded-2xl p-4">
      <Picture listing={listing} />
      <div className="mt-4 flex flex-wrap items-center gap-2">
        <RarityBadge rarity={item.rarity} size="sm" />
        <Badge>{item.grade === null ? t.notGraded : grade(String(item.grade))}</Badge>
      </div>
      <h2 className="mt-2 line-clamp-2 text-sm leading-5 font-medium">{item.name}</h2>
      <p className="mt-0.5 flex flex-wrap items-baseline justify-between gap-x-3 text-xs text-muted-foreground">
        {item.series}
        <CertificateLink certType={item.certification} certNumber={item.certNumber} className="text-xs" />
      </p>
      <p className="mt-3 mb-3 flex items-center gap-2 text-xs text-muted-foreground">
        <Avatar name={seller} imageUrl={user.profileImageUrl} className="size-6 text-[0.625rem]" />
        <span className="truncate">{seller}</span>
      </p>
      <dl className="mt-auto grid grid-cols-[1fr_auto] items-baseline gap-y-1 border-t border-line pt-3 text-sm">
        <dt className="text-muted-foreground">{t.salePrice}</dt>
        <dd className="text-right text-base font-semibold tabular-nums">{dollars(listing.salePriceCents)}</dd>
        <dt className="text-muted-foreground">{t.baseValue}</dt>
        <dd className="text-right">
          <Points cents={item.baseValueCents} />
        </dd>
      </dl>
      <div className="mt-3">
        {listing.own ? (
          <p className="grid h-10 place-items-center rounded-lg bg-muted text-sm text-muted-foreground">{t.yours}</p>
        ) : balanceCents !== undefined && balanceCents < listing.salePriceCents ? (
          <Button asChild variant="secondary" className="w-full">
            <Link to="/topup">{t.topUp(dollars(listing.salePriceCents - balanceCents))}</Link>
          </Button>
        ) : (
          <BuyButton listing={listing} />
        )}
      </div>
    </article>
  )
}

/** The item; whoever points at it or comes by keyboard can see it large. */
function Picture({ listing: { item } }: { listing: Listing }) {
  const t = tradeTexts.useT()
  const [open, setOpen] = useState(false)
  return (
    <div className="relative mx-auto w-3/5">
      <Slab item={item} className="lift" />
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
    </div>
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
      className="w-full"
    >
      {buying.isPending && <Spinner />}
      {t.buy(price)}
    </Button>
  )
}
