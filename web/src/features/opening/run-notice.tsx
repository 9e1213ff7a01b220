import { CircleAlert, Download } from 'lucide-react'
import { points } from '@/lib/format'
import { downloadText } from '@/lib/share'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import type { Haul } from './haul'
import { isUnknown, type Run, unopened } from './run'
import { stopText } from './use-show'
import { useOpeningT } from './texts'

/** Says why a run ended early, how many packs it opened and what it didn't spend; and reports a server's fault. */
export function RunNotice({ run, haul }: { run: Run; haul: Haul }) {
  const t = useOpeningT()
  const { run: texts } = t.opening
  const fault = run.fault ?? (run.stop?.kind === 'fault' ? run.stop.fault : null)
  const count = useCount(run, haul)
  if (fault) {
    return (
      <div
        role="alert"
        className="mb-4 rounded-xl border border-destructive/50 bg-destructive/5 px-4 py-3.5 text-sm text-foreground"
      >
        <p className="flex items-center gap-2.5 font-semibold text-destructive-text">
          <CircleAlert aria-hidden className="size-4 shrink-0" />
          <span>{texts.faultTitle}</span>
        </p>
        <p className="mt-1">{[count, texts.faults[fault.kind]].filter(Boolean).join(' ')}</p>
        <Button
          size="sm"
          variant="secondary"
          className="mt-3"
          onClick={() =>
            downloadText(`kaibao-report-${run.attempt.commitment.slice(0, 12)}.json`, JSON.stringify(run, null, 2))
          }
        >
          <Download aria-hidden />
          <span>{texts.saveReport}</span>
        </Button>
      </div>
    )
  }
  if (run.quantity === 1 || !run.stop || run.stop.kind === 'left') return null
  const why = run.stop.kind === 'unanswered' ? texts.unknown : stopText(run.stop, t)
  return (
    <Notice>{[count, run.stop.kind === 'refused' ? texts.next(run.opened.length + 1, why) : why].join(' ')}</Notice>
  )
}

function useCount(run: Run, { priceCents, openings }: Haul): string {
  const { run: texts } = useOpeningT().opening
  const price = openings.length > 0 ? priceCents / openings.length : 0
  if (run.quantity === 1 || price === 0) return ''
  const unspentCents = unopened(run) * price
  const unspent = points(unspentCents, unspentCents % 100 === 0 ? 0 : 2)
  return (isUnknown(run) ? texts.stoppedUnknown : texts.stopped)(run.opened.length, run.quantity, unspent)
}
