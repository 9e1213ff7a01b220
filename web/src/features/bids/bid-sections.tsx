import { Link } from '@tanstack/react-router'
import { HandCoins } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { useEndedBids, useOpenBids } from '@/api/bids'
import { useLanguage } from '@/i18n'
import { config } from '@/lib/config'
import type { Bid } from '@/contract/types'
import { dateTime, number, points } from '@/lib/format'
import { StableList } from '@/components/ui/stable-list'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { Facts } from '@/components/ui/facts'
import { Loaded } from '@/components/ui/loaded'
import { LoadedGrid } from '@/components/ui/loaded-grid'
import { Skeleton } from '@/components/ui/skeleton'
import { OpenBid } from './open-bid'
import { priceText } from './price-text'
import { bidsTexts } from './texts'
import { BidTargetCard } from './bid-target-card'

interface SectionProps {
  title: string
  text?: string | undefined
  children: ReactNode
}

export function Section({ title, text, children }: SectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="mb-10">
      <h2 id={id} className="text-lg font-semibold">
        {title}
      </h2>
      <p className="mt-0.5 text-sm text-muted-foreground empty:hidden">{text}</p>
      <div className="mt-4">{children}</div>
    </section>
  )
}

export function OpenBids() {
  const t = bidsTexts.useT().bids.orders
  const bids = useOpenBids()
  const held = bids.data?.reduce((sum, { heldCents }) => sum + heldCents, 0) ?? 0
  return (
    <Section title={t.open} text={bids.data?.length ? t.openText(number(bids.data.length), points(held)) : undefined}>
      <Loaded
        query={bids}
        failed={t.failed}
        skeleton={<Skeleton className="h-44 rounded-2xl" />}
        empty={
          <EmptyState
            level={3}
            icon={<HandCoins />}
            title={t.noneOpen}
            text={t.noneOpenText}
            action={
              config.rules.market && (
                <Button asChild>
                  <Link to="/marketplace">{t.toMarket}</Link>
                </Button>
              )
            }
            className="panel rounded-2xl"
          />
        }
      >
        {(open) => (
          <StableList rows={open} idOf={({ id }) => id} className="space-y-3" rowClassName="panel rounded-2xl p-5">
            {(bid) => <OpenBid bid={bid} />}
          </StableList>
        )}
      </Loaded>
    </Section>
  )
}

/** The user's past bids: filled, withdrawn, expired or ended. */
export function EndedBids() {
  const t = bidsTexts.useT().bids.orders
  return (
    <Section title={t.past}>
      <LoadedGrid
        list={{ ...useEndedBids(), isPlaceholderData: false }}
        label={t.past}
        failed={t.failed}
        columns="grid-cols-1"
        gap={10}
        skeletonCount={2}
        skeleton={<Skeleton className="h-24 rounded-2xl" />}
        idOf={({ id }) => id}
        empty={<p className="panel rounded-2xl p-5 text-sm text-muted-foreground">{t.nonePast}</p>}
      >
        {(bid) => <EndedBid bid={bid} />}
      </LoadedGrid>
    </Section>
  )
}

function EndedBid({ bid }: { bid: Bid }) {
  const t = bidsTexts.useT().bids
  const language = useLanguage()
  const { state, quantity, left, endedAt } = bid
  return (
    <div className="panel flex flex-wrap items-center justify-between gap-x-8 gap-y-3 rounded-2xl px-5 py-3.5">
      <div className="min-w-64 flex-1">
        <BidTargetCard bid={bid} />
      </div>
      <Badge variant={state === 'filled' ? 'positive' : 'neutral'}>{t.order.states[state]}</Badge>
      <Facts
        layout="stacks"
        className="flex flex-wrap gap-x-8 gap-y-3 text-sm"
        facts={[
          { label: t.order.price, value: priceText(bid, t) },
          { label: t.order.bought, value: t.order.leftOf(quantity - left, quantity) },
          ...(endedAt
            ? [
                {
                  label: t.order.ended,
                  value: <time dateTime={endedAt}>{dateTime(endedAt, language)}</time>,
                  className: 'font-normal',
                },
              ]
            : []),
        ]}
      />
    </div>
  )
}
