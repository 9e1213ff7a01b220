import { useEffect, useEffectEvent } from 'react'
import { useInvalidate } from '@/api/invalidations'
import { usePendingOpen } from '@/api/opens'
import type { Opening } from '@/contract/types'
import { number } from '@/lib/format'
import { useSecondsLeft } from '@/lib/use-seconds-left'
import { Spinner } from '@/components/ui/spinner'
import { inventoryTexts } from './texts'

/** How late a draw may be before this says so, in seconds. */
const lateAfterSeconds = 4

/** An order that waits for its round. Refreshes the visitor's data once it is drawn. */
export function PendingDraw({ opening }: { opening: Opening }) {
  const { data } = usePendingOpen(opening.openId)
  const refresh = useEffectEvent(useInvalidate('open'))
  const settled = data !== undefined && data.opening.state !== 'sealed'
  useEffect(() => {
    if (settled) void refresh()
  }, [settled])
  return (
    <p className="mt-4 flex items-center gap-3 rounded-xl border bg-background p-4 text-sm tabular-nums">
      <Spinner className="size-5 text-gold-text" />
      {data && opening.order ? <Wait roundAt={data.roundAt} round={number(opening.order.round)} /> : null}
    </p>
  )
}

function Wait({ roundAt, round }: { roundAt: number; round: string }) {
  const t = inventoryTexts.useT().opens
  const seconds = useSecondsLeft(roundAt)
  const late = useSecondsLeft(roundAt + lateAfterSeconds * 1000) === 0
  if (seconds > 0) return <span>{t.unlocks(round, seconds)}</span>
  return <span role="status">{late ? t.late(round) : t.publishing(round)}</span>
}
