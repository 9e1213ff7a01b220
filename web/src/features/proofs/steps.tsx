import { ShieldAlert, ShieldCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { proofsTexts } from './texts'
import type { Opening } from '@/contract/types'
import { cn } from '@/lib/cn'
import { type Step, type StepId, verdict } from '@/lib/protocol/report'
import { Loaded } from '@/components/ui/loaded'
import { stepGroups } from './step-groups'
import { StepsSkeleton } from './skeleton'
import { VerifyStep } from './step'
import type { ProofBundle } from './use-proof-bundle'
import { useSteps } from './use-steps'

interface VerificationProps {
  bundle: ProofBundle
  /** The open as the server showed it, if the page has it. */
  shown?: Opening | undefined
}

/** Verifies a proof and shows each step. */
export function Verification({ bundle, shown }: VerificationProps) {
  const { failed } = proofsTexts.useT().verify.verification
  const verification = useSteps(bundle, shown)
  return (
    <Loaded query={verification} failed={failed} skeleton={<StepsSkeleton />}>
      {(steps) => (
        <>
          <Verdict steps={steps} />
          <StepGroups steps={steps} className="mt-5" />
        </>
      )}
    </Loaded>
  )
}

export function StepGroups({ steps, className }: { steps: readonly Step[]; className?: string }) {
  const t = proofsTexts.useT().verify.verification
  const groups = Object.entries(stepGroups).map(([group, ids]) => ({
    title: t.groups[group as keyof typeof stepGroups],
    own: steps.filter(({ id }) => (ids as readonly StepId[]).includes(id)),
  }))
  return (
    <div className={cn('space-y-5', className)}>
      {groups
        .filter(({ own }) => own.length > 0)
        .map(({ title, own }) => (
          <section key={title} aria-label={title}>
            <h2 className="eyebrow mb-2">{title}</h2>
            <ol className="panel divide-y divide-line rounded-xl">
              {own.map((step) => (
                <VerifyStep key={`${step.id} ${step.item ?? ''}`} step={step} />
              ))}
            </ol>
          </section>
        ))}
    </div>
  )
}

/** The overall result. `children` are actions. */
export function Verdict({ steps, children }: { steps: readonly Step[]; children?: ReactNode }) {
  const t = proofsTexts.useT().verify.verification
  const state = verdict(steps)
  const count = (wanted: Step['state']) => steps.filter((step) => step.state === wanted).length
  const Icon = state === 'failed' ? ShieldAlert : ShieldCheck
  return (
    <div
      className={cn(
        'flex flex-wrap items-center gap-x-6 gap-y-3 rounded-xl border px-4 py-3.5',
        state === 'failed' ? 'border-destructive/50 bg-destructive/5' : 'border-positive-text/35 bg-positive-text/5',
      )}
    >
      <div
        role="status"
        className={cn(
          'flex flex-1 items-center gap-3.5',
          state === 'failed' ? 'text-destructive-text' : 'text-positive-text',
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
      {children}
    </div>
  )
}
