import { CircleAlert, Download } from 'lucide-react'
import { shortPoints } from '@/lib/format'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { isUnknown, pendingOrders, type Run, unopened } from './run'
import { saveReport } from './save-report'
import { stopText } from './use-show'
import { useOpeningT } from './texts'

/** Says what is still to be drawn or was refunded, and how the run ended. */
export function RunNotice(props: { run: Run; priceCents: number }) {
  const t = useOpeningT().opening.sealed
  const { run } = props
  const voided = run.opened.filter(({ state }) => state === 'void')
  const pending = run.phase === 'drawing' ? pendingOrders(run).length : 0
  const refunded = voided.reduce((sum, { priceCents }) => sum + priceCents, 0)
  return (
    <>
      {pending > 0 && <Notice>{t.stillDrawing(pending)}</Notice>}
      {voided.length > 0 && <Notice>{t.voided(voided.length, shortPoints(refunded))}</Notice>}
      <StopNotice {...props} />
    </>
  )
}

/** Says why a run ended early, how many packs it opened and what it didn't spend; and reports a server's fault. */
function StopNotice({ run, priceCents }: { run: Run; priceCents: number }) {
  const t = useOpeningT()
  const { run: texts } = t.opening
  const { stop } = run
  const count = useCount(run, priceCents)
  if (stop?.kind === 'fault') {
    return (
      <div
        role="alert"
        className="mb-4 rounded-xl border border-destructive/50 bg-destructive/5 px-4 py-3.5 text-sm text-foreground"
      >
        <p className="flex items-center gap-2.5 font-semibold text-destructive-text">
          <CircleAlert aria-hidden className="size-4 shrink-0" />
          <span>{texts.faultTitle}</span>
        </p>
        <p className="mt-1">{[count, texts.faults[stop.fault.kind]].filter(Boolean).join(' ')}</p>
        <Button size="sm" variant="secondary" className="mt-3" onClick={() => saveReport(run)}>
          <Download aria-hidden />
          <span>{texts.saveReport}</span>
        </Button>
      </div>
    )
  }
  const complete = run.opened.length === run.quantity
  if (stop?.kind === 'unchecked' && complete) return <Notice>{texts.lastUnchecked}</Notice>
  if (run.quantity === 1 || !stop || stop.kind === 'left') return null
  const why = stop.kind === 'unanswered' ? texts.unknown : stopText(stop, t)
  return <Notice>{[count, stop.kind === 'refused' ? texts.next(run.opened.length + 1, why) : why].join(' ')}</Notice>
}

function useCount(run: Run, priceCents: number): string {
  const { run: texts } = useOpeningT().opening
  if (run.quantity === 1) return ''
  const unspentCents = unopened(run) * priceCents
  const unspent = shortPoints(unspentCents)
  return (isUnknown(run) ? texts.stoppedUnknown : texts.stopped)(run.opened.length, run.quantity, unspent)
}
