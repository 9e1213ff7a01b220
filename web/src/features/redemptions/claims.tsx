import { Link } from '@tanstack/react-router'
import { Truck } from 'lucide-react'
import { lazy, Suspense, useId, useState } from 'react'
import { useNow } from '@/lib/use-now'
import { useCancelClaim, useClaims } from '@/api/redemptions'
import { ClaimTimeline, TrackingLink } from '@/components/claim/claim-timeline'
import { ClaimState } from '@/components/claim/claim-state'
import { claimTexts } from '@/components/claim/texts'
import { useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import type { Claim } from '@/contract/types'
import { dollars, number } from '@/lib/format'
import { useSession } from '@/lib/session'
import { toast } from '@/lib/toast'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { Facts } from '@/components/ui/facts'
import { LoadedGrid } from '@/components/ui/loaded-grid'
import { Skeleton } from '@/components/ui/skeleton'
import { Spinner } from '@/components/ui/spinner'
import { ClaimItems } from './claim-items'
import { redemptionsTexts } from './texts'

const Delivery = lazy(() => import('./delivery'))

export function Claims() {
  const t = redemptionsTexts.useT().claims
  return (
    <LoadedGrid
      list={useClaims()}
      label={t.list}
      failed={t.failed}
      columns="grid-cols-1"
      gap={16}
      skeleton={<Skeleton className="h-80 rounded-2xl" />}
      skeletonCount={2}
      idOf={({ id }) => id}
      empty={
        <EmptyState
          icon={<Truck />}
          title={t.empty}
          text={t.emptyText}
          action={
            <Button asChild>
              <Link to="/vault">{t.toVault}</Link>
            </Button>
          }
          className="panel rounded-2xl"
        />
      }
    >
      {(claim) => <ClaimCard claim={claim} />}
    </LoadedGrid>
  )
}

function ClaimCard({ claim }: { claim: Claim }) {
  const t = claimTexts.useT()
  const id = useId()
  const { items, shippingCents, valueCents, refundCents, tracking, state } = claim
  const count = items.length === 1 ? t.oneItem : t.items(number(items.length))
  return (
    <article aria-labelledby={id} className="panel rounded-2xl p-6">
      <header className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h2 id={id} className="text-lg font-semibold">
          {count}
        </h2>
        <ClaimState state={state} />
        {tracking && <TrackingLink tracking={tracking} />}
        <Facts
          layout="stacks"
          className="ml-auto flex gap-8 text-right text-sm"
          facts={[
            { label: t.value, value: dollars(valueCents) },
            { label: t.shipping, value: dollars(shippingCents) },
            ...(refundCents > 0 ? [{ label: t.refunded, value: dollars(refundCents) }] : []),
          ]}
        />
      </header>
      <div className="mt-5 grid gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div>
          <ClaimItems items={items} />
          <ClaimStatus claim={claim} />
        </div>
        <section aria-label={t.history} className="lg:border-l lg:pl-8">
          <ClaimTimeline events={claim.events} />
        </section>
      </div>
    </article>
  )
}

/** The current state in words, with the possible actions. */
function ClaimStatus({ claim }: { claim: Claim }) {
  const t = redemptionsTexts.useT().claims
  const now = useNow()
  const [open, setOpen] = useState(false)
  const { id, state, cancellable, items, shippingCents } = claim
  const floor = items.some(({ sellBackUntil }) => sellBackUntil !== null && Date.parse(sellBackUntil) > now)
  const status = state === 'packed' ? t.packed : state === 'lost' ? t.lost : state === 'replacing' ? t.replacing : ''
  return (
    <div className="mt-5 space-y-3 border-t pt-4 text-sm text-pretty text-muted-foreground">
      {cancellable && <p>{t.cancelText(dollars(shippingCents))}</p>}
      {status && <p>{status}</p>}
      {floor && state === 'requested' && <p>{t.priceGuarantee}</p>}
      <div className="flex flex-wrap gap-3">
        {cancellable && <CancelButton claim={claim} />}
        <Button variant="secondary" size="sm" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? t.hideAddress : t.address}
        </Button>
      </div>
      {open && (
        <Suspense fallback={<Skeleton className="h-40 rounded-xl" />}>
          <Delivery id={id} />
        </Suspense>
      )}
    </div>
  )
}

function CancelButton({ claim: { id, shippingCents } }: { claim: Claim }) {
  const texts = useT()
  const t = redemptionsTexts.useT().claims
  const { walletMismatch } = useSession()
  const cancelling = useCancelClaim({
    onDone: () => toast({ title: t.cancelled, description: t.cancelledText(dollars(shippingCents)) }),
    onFailed: (error) => toast({ title: t.cancelFailed, description: errorText(error, texts), variant: 'destructive' }),
  })
  return (
    <Button
      variant="secondary"
      size="sm"
      disabled={walletMismatch || cancelling.isPending}
      onClick={() => cancelling.mutate({ id })}
    >
      {cancelling.isPending && <Spinner />}
      <span>{t.cancel}</span>
    </Button>
  )
}
