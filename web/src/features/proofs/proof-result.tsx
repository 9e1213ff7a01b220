import { Download, ExternalLink } from 'lucide-react'
import { manifestUrl } from '@/api/log'
import { proofsTexts } from './texts'
import { type OpenLeaf, parseOpenLeaf } from '@/lib/protocol/leaf'
import type { Step } from '@/lib/protocol/report'
import { downloadText } from '@/lib/share'
import { Button } from '@/components/ui/button'
import { Loaded } from '@/components/ui/loaded'
import { ByHand } from './by-hand'
import { Drawn } from './drawn'
import { SaveProof } from './save-proof'
import { ResultSkeleton } from './skeleton'
import { StepGroups, Verdict } from './steps'
import type { Case } from './use-case'
import { useOwn, useSteps } from './use-steps'

/** A case on a page: every step, what was drawn, and how to check it elsewhere. */
export function Result({ checked }: { checked: Case }) {
  const { failed } = proofsTexts.useT().verify.verification
  const found = useSteps(checked)
  return (
    <Loaded query={found} failed={failed} skeleton={<ResultSkeleton />}>
      {(steps) => <Checked checked={checked} steps={steps} />}
    </Loaded>
  )
}

function Checked({ checked, steps }: { checked: Case; steps: readonly Step[] }) {
  const t = proofsTexts.useT().verify
  const { proof, manifest } = checked
  const leaf = parseOpenLeaf(proof.leaf)
  const mine = useOwn(leaf?.id) !== undefined
  return (
    <div className="space-y-6">
      <Verdict steps={steps}>{leaf && <SaveProof openId={leaf.id} saved={checked} />}</Verdict>
      <div className="grid items-start gap-x-8 gap-y-6 xl:grid-cols-[minmax(0,1fr)_23rem]">
        <div className="min-w-0 space-y-6">
          <StepGroups steps={steps} />
          {manifest && <ByHand proof={proof} manifest={manifest} />}
        </div>
        <div className="space-y-4 max-xl:row-start-1 xl:sticky xl:top-8">
          {leaf && <Drawn leaf={leaf} manifest={manifest} mine={mine} />}
          {leaf && <Files leaf={leaf} receipt={proof.receipt} />}
          <p className="text-xs leading-relaxed text-pretty text-muted-foreground">{t.verification.limits}</p>
        </div>
      </div>
    </div>
  )
}

/** The parts of a proof that stand for themselves. */
function Files({ leaf, receipt }: { leaf: OpenLeaf; receipt: string }) {
  const t = proofsTexts.useT().verify.proof
  return (
    <div className="flex flex-wrap gap-x-1">
      <Button size="sm" variant="ghost" onClick={() => downloadText(`kaibao-receipt-${leaf.id}.txt`, receipt)}>
        <Download aria-hidden />
        <span>{t.saveReceipt}</span>
      </Button>
      <Button asChild size="sm" variant="ghost">
        <a href={manifestUrl(leaf.manifest)} target="_blank" rel="noreferrer">
          <ExternalLink aria-hidden />
          <span>{t.table}</span>
        </a>
      </Button>
    </div>
  )
}
