import { ChevronDown } from 'lucide-react'

import { proofsTexts } from './texts'
import type { Opening } from '@/contract/types'
import { cn } from '@/lib/cn'
import { parseProofLeaf } from '@/lib/protocol/proof-leaf'
import { type Step, type StepId, verdict } from '@/lib/protocol/report'
import { Loaded } from '@/components/ui/loaded'
import { PlainProof } from './plain-proof'
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
          <PlainProof steps={steps} leaf={parseProofLeaf(bundle.proof.leaf)} />
          <FoldedSteps steps={steps} className="mt-4" />
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

/** All steps, folded away unless one failed. */
export function FoldedSteps({ steps, className }: { steps: readonly Step[]; className?: string }) {
  const t = proofsTexts.useT().verify.verification
  const count = (wanted: Step['state']) => steps.filter((step) => step.state === wanted).length
  return (
    <details className={cn('group/steps', className)} open={verdict(steps) === 'failed'}>
      <summary className="flex cursor-pointer list-none items-center gap-3 rounded-xl px-1 py-2 text-sm hover:text-gold-text">
        <span className="font-semibold">{t.allSteps}</span>
        <span className="flex-1 text-[0.8125rem] text-muted-foreground tabular-nums">
          {t.counts(count('ok'), count('info'), count('failed'))}
        </span>
        <ChevronDown
          aria-hidden
          className="size-4 text-muted-foreground transition-transform group-open/steps:rotate-180 motion-reduce:transition-none"
        />
      </summary>
      <StepGroups steps={steps} className="mt-3" />
    </details>
  )
}
