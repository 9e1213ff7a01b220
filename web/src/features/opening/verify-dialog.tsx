import { Download, ExternalLink, ShieldAlert, ShieldCheck } from 'lucide-react'
import { useT } from '@/i18n'
import type { Opening } from '@/lib/api/types'
import { cn } from '@/lib/cn'
import { type Step, verdict } from '@/lib/fair/report'
import { Button } from '@/ui/button'
import { Dialog, DialogContent, DialogHeader } from '@/ui/dialog'
import { ErrorState } from '@/ui/error-state'
import { Skeleton } from '@/ui/skeleton'
import { manifestUrl } from './api/evidence'
import { downloadText } from './hand-on'
import { useVerification } from './use-verification'
import { VerifyStep } from './verify-step'
import { VerifySummary } from './verify-summary'

interface VerifyDialogProps {
  opening: Opening
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The seal the visitor saw before this open, when the page knows it. */
  shownCommitment?: string | undefined
}

/** Draws an opening again in the browser and shows every step with the numbers behind it. */
export function VerifyDialog({ open, onOpenChange, ...rest }: VerifyDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      {open && <Panel {...rest} />}
    </Dialog>
  )
}

function Panel({ opening, shownCommitment }: Pick<VerifyDialogProps, 'opening' | 'shownCommitment'>) {
  const t = useT().opening.verify
  return (
    <DialogContent className="max-w-2xl">
      <DialogHeader title={t.title} text={t.text} />
      <Checks opening={opening} shownCommitment={shownCommitment} />
      <VerifySummary opening={opening} />
      <p className="mt-5 text-xs leading-relaxed text-muted-foreground">{t.limits}</p>
      <div className="mt-5 flex flex-wrap gap-2.5">
        <Button variant="secondary" onClick={() => downloadText(`kaibao-${opening.openId}.txt`, opening.receipt)}>
          <Download aria-hidden />
          {t.receipt}
        </Button>
        <Button asChild variant="ghost">
          <a href={manifestUrl(opening.manifestHash)} target="_blank" rel="noreferrer">
            <ExternalLink aria-hidden />
            {t.manifest}
          </a>
        </Button>
      </div>
    </DialogContent>
  )
}

function Checks({ opening, shownCommitment }: Pick<VerifyDialogProps, 'opening' | 'shownCommitment'>) {
  const t = useT().opening.verify
  const { data: steps, error, refetch } = useVerification(opening, shownCommitment)
  if (error) return <ErrorState title={t.failed} error={error} retry={() => void refetch()} />
  if (!steps) {
    return (
      <div role="status">
        <span className="sr-only">{t.checking}</span>
        {opening.items.map(({ inventoryId }) => (
          <Skeleton key={inventoryId} className="mb-2 h-11" />
        ))}
        <Skeleton className="h-72" />
      </div>
    )
  }
  return (
    <>
      <Verdict steps={steps} />
      <ol className="panel divide-y divide-line rounded-xl">
        {steps.map((step) => (
          <VerifyStep key={`${step.id} ${step.item ?? ''}`} step={step} />
        ))}
      </ol>
    </>
  )
}

function Verdict({ steps }: { steps: readonly Step[] }) {
  const t = useT().opening.verify
  const state = verdict(steps)
  const Icon = state === 'failed' ? ShieldAlert : ShieldCheck
  return (
    <p
      role="status"
      className={cn(
        'mb-4 flex items-center gap-2.5 font-semibold',
        state === 'failed' ? 'text-destructive-text' : 'text-positive-text',
      )}
    >
      <Icon aria-hidden className="size-6 shrink-0" />
      {t.verdict[state]}
    </p>
  )
}
