import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useMyListings } from '@/api/inventory'
import { EndedBids, OpenBids, Section } from '@/features/bids/orders'
import { bidTexts } from '@/features/bids/texts'
import { Purse } from '@/features/ledger/purse'
import { tradeTexts } from '@/features/market/texts/trade'
import { useT } from '@/i18n'
import { dollars, number } from '@/lib/format'
import { Button } from '@/ui/button'
import { Loaded } from '@/ui/loaded'
import { PageHeader } from '@/ui/page-header'
import { Skeleton } from '@/ui/skeleton'
import { WalletGate } from '@/ui/wallet-gate'

const MyListing = lazy(async () => ({ default: (await import('@/features/market/my-listings')).MyListing }))

/** Everything of the visitor's that can still execute. */
export function OrdersPage() {
  const t = bidTexts.useT().orders
  const { shell } = useT()
  return (
    <>
      <PageHeader title={t.title} text={t.text} />
      <WalletGate title={t.overlayTitle} text={t.overlayText} button={shell.user.connectWallet}>
        <div className="mb-8">
          <Purse />
        </div>
        <OpenBids />
        <Listings />
        <EndedBids />
      </WalletGate>
    </>
  )
}

/** What the visitor is selling. */
function Listings() {
  const t = bidTexts.useT().orders
  const { failed } = tradeTexts.useT()
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
          <Suspense fallback={<Skeleton className="h-28 rounded-2xl" />}>
            <ul className="space-y-3">
              {entries.map((entry) => (
                <li key={entry.id} className="panel rounded-2xl p-5">
                  <MyListing entry={entry} />
                </li>
              ))}
            </ul>
          </Suspense>
        )}
      </Loaded>
    </Section>
  )
}
