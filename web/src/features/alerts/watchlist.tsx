import { Eye, Pencil } from 'lucide-react'
import { lazy, startTransition, Suspense, useState } from 'react'
import { useWatchlist } from '@/api/watchlist'
import { ItemCard, ItemCardSkeleton } from '@/components/item-card'
import type { Watch } from '@/contract/types'
import { dollars } from '@/lib/format'
import { useSession } from '@/lib/session'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { LoadedGrid } from '@/components/ui/loaded-grid'
import { alertsTexts } from './texts'

const WatchDialog = lazy(() => import('./watch-dialog'))

/** The user's watched items, each with the lowest price of other sellers. */
export function Watchlist() {
  const t = alertsTexts.useT().watchlist
  return (
    <LoadedGrid
      list={useWatchlist()}
      label={t.list}
      failed={t.failed}
      columns="grid-cols-2 lg:grid-cols-4"
      skeleton={<ItemCardSkeleton />}
      idOf={({ id }) => id}
      empty={<EmptyState icon={<Eye />} title={t.empty} text={t.emptyText} className="panel rounded-2xl" />}
    >
      {(watch) => <WatchCard watch={watch} />}
    </LoadedGrid>
  )
}

function WatchCard({ watch }: { watch: Watch }) {
  const t = alertsTexts.useT().watchlist
  const { item, belowCents, lowestCents } = watch
  return (
    <ItemCard
      item={item}
      level={2}
      facts={[
        {
          label: t.lowest,
          value: lowestCents === null ? t.notForSale : dollars(lowestCents),
          ...(lowestCents !== null && { className: 'text-base' }),
        },
        { label: t.baseValue, value: dollars(item.baseValueCents) },
        { label: t.below, value: belowCents === null ? t.never : dollars(belowCents) },
      ]}
      actions={<EditButton watch={watch} />}
    />
  )
}

function EditButton({ watch }: { watch: Watch }) {
  const t = alertsTexts.useT().watchlist
  const { walletMismatch } = useSession()
  const [open, setOpen] = useState(false)
  const { itemId, item } = watch
  return (
    <>
      <Button
        variant="secondary"
        className="w-full"
        disabled={walletMismatch}
        aria-label={t.editItem(item.name)}
        onClick={() => startTransition(() => setOpen(true))}
      >
        <Pencil aria-hidden />
        <span>{t.edit}</span>
      </Button>
      <Suspense>
        {open && <WatchDialog itemId={itemId} name={item.name} watch={watch} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  )
}
