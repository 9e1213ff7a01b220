import { ShieldAlert, ShieldCheck } from 'lucide-react'
import { verifyTexts } from '@/i18n/verify'
import type { Opening } from '@/lib/api/types'
import { cn } from '@/lib/cn'
import { type Step, type StepId, verdict } from '@/lib/fair/report'
import { groups } from './groups'
import { VerificationSkeleton } from './skeleton'
import { VerifyStep } from './step'
import type { Case } from './use-case'
import { useSteps } from './use-steps'

interface VerificationProps {
  checked: Case
  /** What the visitor was shown, where the page has it at hand. */
  shown?: Opening | undefined
}

/** Checks a case, and shows every step with a tick or a cross. */
export function Verification({ checked, shown }: VerificationProps) {
  const steps = useSteps(checked, shown)
  if (!steps) return <VerificationSkeleton />
  return (
    <div>
      <Verdict steps={steps} />
      <StepGroups steps={steps} />
    </div>
  )
}

function StepGroups({ steps }: { steps: readonly Step[] }) {
  const t = verifyTexts.useT().verification
  return Object.entries(groups).map(([group, ids]) => {
    const own = steps.filter(({ id }) => (ids as readonly StepId[]).includes(id))
    const title = t.groups[group as keyof typeof groups]
    return (
      own.length > 0 && (
        <section key={group} aria-label={title} className="mt-5">
          <h3 className="eyebrow mb-2">{title}</h3>
          <ol className="panel divide-y divide-line rounded-xl">
            {own.map((step) => (
              <VerifyStep key={`${step.id} ${step.item ?? ''}`} step={step} />
            ))}
          </ol>
        </section>
      )
    )
  })
}

function Verdict({ steps }: { steps: readonly Step[] }) {
  const t = verifyTexts.useT().verification
  const state = verdict(steps)
  const count = (wanted: Step['state']) => steps.filter((step) => step.state === wanted).length
  const Icon = state === 'failed' ? ShieldAlert : ShieldCheck
  return (
    <div
      role="status"
      className={cn(
        'flex items-center gap-3.5 rounded-xl border px-4 py-3.5',
        state === 'failed' ? 'border-destructive/50 text-destructive-text' : 'border-positive-text/35 text-positive-text',
      )}
    >
      <Icon aria-hidden className="size-7 shrink-0" />
      <div>
        <p className="leading-snug font-semibold">{t.verdict[state]}</p>
        <p className="text-[0.8125rem] text-muted-foreground tabular-nums">
          {t.counts(count('ok'), count('info'), count('failed'))}
        </p>
      </div>
    </div>
  )
}
