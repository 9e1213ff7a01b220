import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Gift as GiftIcon } from 'lucide-react'
import { useEffect } from 'react'
import { type GiftSide, useGifts } from '@/api/gifts'
import { config } from '@/lib/config'
import { forgetGivenSecret } from '@/lib/gift-secret'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { LoadedGrid } from '@/components/ui/loaded-grid'
import { Skeleton } from '@/components/ui/skeleton'
import { Tabs, TabsList, TabsPanel, TabsTrigger } from '@/components/ui/tabs'
import { BlockedGivers } from './blocked-givers'
import { GiftCard } from './gift-card'
import { GiftsOffNotice } from './gifts-off-notice'
import { giftSides } from './gifts-search'
import { Section } from './section'
import { giftsTexts } from './texts'

/** The gifts that the user gave and received. Signed out, it shows a skeleton. */
export function GiftLists() {
  const t = giftsTexts.useT().gifts
  const { side = 'received' } = useSearch({ from: '/gifts' })
  const navigate = useNavigate()
  const select = (next: string) =>
    void navigate({ to: '/gifts', search: { side: next as GiftSide }, replace: true, resetScroll: false })
  return (
    <Tabs value={side} onValueChange={select}>
      <TabsList label={t.tabs}>
        {giftSides.map((name) => (
          <TabsTrigger key={name} value={name}>
            {t[name]}
          </TabsTrigger>
        ))}
      </TabsList>
      <TabsPanel className="mt-6 space-y-10">
        {side === 'received' && <GiftsOffNotice />}
        <WaitingGifts key={`${side}-waiting`} side={side} />
        <EndedGifts key={`${side}-ended`} side={side} />
        {side === 'received' && <BlockedGivers />}
      </TabsPanel>
    </Tabs>
  )
}

function WaitingGifts({ side }: { side: GiftSide }) {
  const t = giftsTexts.useT().gifts
  const gifts = useGifts(side, 'waiting')
  return (
    <Section title={t.waiting}>
      <LoadedGrid
        list={gifts}
        label={t.waiting}
        failed={t.failed}
        columns="grid-cols-1"
        gap={12}
        skeletonCount={2}
        skeleton={<Skeleton className="h-48 rounded-2xl" />}
        idOf={({ id }) => id}
        empty={<NoneWaiting side={side} />}
      >
        {(gift) => <GiftCard gift={gift} />}
      </LoadedGrid>
    </Section>
  )
}

function NoneWaiting({ side }: { side: GiftSide }) {
  const t = giftsTexts.useT().gifts
  const received = side === 'received'
  const text = received ? t.noneReceivedText : t.noneGivenText
  return (
    <EmptyState
      level={3}
      icon={<GiftIcon />}
      title={received ? t.noneReceived : t.noneGiven}
      text={config.rules.market ? text : t.marketOff}
      action={
        !received &&
        config.rules.market && (
          <Button asChild>
            <Link to="/my-collection">{t.toCollection}</Link>
          </Button>
        )
      }
      className="panel rounded-2xl"
    />
  )
}

function EndedGifts({ side }: { side: GiftSide }) {
  const t = giftsTexts.useT().gifts
  const gifts = useGifts(side, 'ended')
  const { data } = gifts
  // Their links no longer work.
  useEffect(() => {
    if (side === 'given') for (const { id } of data ?? []) forgetGivenSecret(id)
  }, [side, data])
  return (
    <Section title={t.past}>
      <LoadedGrid
        list={gifts}
        label={t.past}
        failed={t.failed}
        columns="grid-cols-1"
        gap={12}
        skeletonCount={2}
        skeleton={<Skeleton className="h-28 rounded-2xl" />}
        idOf={({ id }) => id}
        empty={<p className="panel rounded-2xl p-5 text-sm text-muted-foreground">{t.nonePast}</p>}
      >
        {(gift) => <GiftCard gift={gift} />}
      </LoadedGrid>
    </Section>
  )
}
