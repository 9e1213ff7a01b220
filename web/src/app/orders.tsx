import { Link } from '@tanstack/react-router'
import { useMyListings } from '@/api/inventory'
import { EndedBids, OpenBids, Section } from '@/features/bids/bid-sections'
import { bidsTexts } from '@/features/bids/texts'
import { MyListing } from '@/features/market/my-listings'
import { marketTexts } from '@/features/market/texts'
import { dollars, number } from '@/lib/format'
import { Button } from '@/components/ui/button'
import { Loaded } from '@/components/ui/loaded'
import { Skeleton } from '@/components/ui/skeleton'

/** The visitor's open bids, what they sell, and the bids that have ended. */
export default function Orders() {
  return (
    <>
      <OpenBids />
      <Listings />
      <EndedBids />
    </>
  )
}

/** The visitor's listings. */
function Listings() {
  const t = bidsTexts.useT().bids.orders
  const { failed } = marketTexts.useT().trade
  const listings = useMyListings()
  const { data } = listings
  const total = data?.reduce((sum, { salePriceCents }) => sum + (salePriceCents ?? 0), 0) ?? 0
  return (
    <Section title={t.listings} text={data?.length ? t.listingsText(number(data.length), dollars(total)) : undefined}>
      <Loaded
        query={listings}
        failed={failed}
        skeleton={<Skeleton className="h-28 rounded-2xl" />}
        empty={
          <div className="panel flex flex-wrap items-center justify-between gap-3 rounded-2xl p-5">
            <p className="text-sm text-muted-foreground">{t.noListings}</p>
            <Button asChild variant="secondary" size="sm">
              <Link to="/my-collection">{t.toCollection}</Link>
            </Button>
          </div>
        }
      >
        {(entries) => (
          <ul className="space-y-3">
            {entries.map((entry) => (
              <li key={entry.id} className="panel rounded-2xl p-5">
                <MyListing entry={entry} />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Section>
  )
}
