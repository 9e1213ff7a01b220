import { Download, ExternalLink } from 'lucide-react'
import { manifestUrl } from '@/api/log'
import { proofsTexts } from './texts'
import type { DrawHead } from '@/lib/protocol/leaf'
import { parseProofLeaf } from '@/lib/protocol/proof-leaf'
import { parseUndrawn } from '@/lib/protocol/sealed'
import type { Step } from '@/lib/protocol/report'
import { config } from '@/lib/config'
import { downloadText } from '@/lib/share'
import { Button } from '@/components/ui/button'
import { Loaded } from '@/components/ui/loaded'
import { ByHand } from './by-hand'
import { DrawnItems } from './drawn-items'
import { SaveProof } from './save-proof'
import { ResultSkeleton } from './skeleton'
import { PlainProof } from './plain-proof'
import { FoldedSteps } from './steps'
import { UndrawnOrder } from './undrawn-order'
import type { ProofBundle } from './use-proof-bundle'
import { useOwnOpening, useSteps } from './use-steps'

/** A verified proof: every step, the items drawn, and how to check it elsewhere. */
export function ProofResult({ bundle }: { bundle: ProofBundle }) {
  const { failed } = proofsTexts.useT().verify.verification
  const verification = useSteps(bundle)
  return (
    <Loaded query={verification} failed={failed} skeleton={<ResultSkeleton />}>
      {(steps) => <ProofReport bundle={bundle} steps={steps} />}
    </Loaded>
  )
}

function ProofReport({ bundle, steps }: { bundle: ProofBundle; steps: readonly Step[] }) {
  const t = proofsTexts.useT().verify
  const { proof, manifest } = bundle
  const leaf = parseProofLeaf(proof.leaf)
  const order = parseUndrawn(proof.leaf)
  const signed = leaf ?? order
  const isOwn = useOwnOpening(leaf?.id) !== undefined
  return (
    <div className="space-y-6">
      <PlainProof steps={steps} leaf={leaf}>
        {signed && <SaveProof openId={signed.id} bundle={bundle} />}
      </PlainProof>
      <div className="grid items-start gap-x-8 gap-y-6 xl:grid-cols-[minmax(0,1fr)_23rem]">
        <div className="min-w-0 space-y-6">
          <FoldedSteps steps={steps} />
          {manifest && <ByHand proof={proof} manifest={manifest} />}
        </div>
        <div className="space-y-4 max-xl:row-start-1 xl:sticky xl:top-8">
          {leaf && <DrawnItems leaf={leaf} manifest={manifest} isOwn={isOwn} />}
          {order && <UndrawnOrder order={order} manifest={manifest} />}
          {signed && <DownloadLinks leaf={signed} receipt={proof.receipt} />}
          <p className="text-xs leading-relaxed text-pretty text-muted-foreground">
            {
              t.verification[
                (leaf ? leaf.round === null : order === null) || config.sandbox ? 'limits' : limitsOfSealed(steps)
              ]
            }
          </p>
        </div>
      </div>
    </div>
  )
}

const limitsOfSealed = (steps: readonly Step[]) =>
  steps.some(({ id, state }) => id === 'fixed' && state === 'ok') ? 'limitsFixed' : 'limitsSealed'

/** Downloads of the receipt and the manifest. */
function DownloadLinks({ leaf, receipt }: { leaf: Pick<DrawHead, 'id' | 'manifest'>; receipt: string }) {
  const t = proofsTexts.useT().verify.proof
  return (
    <div className="flex flex-wrap gap-x-1">
      {receipt !== '' && (
        <Button size="sm" variant="ghost" onClick={() => downloadText(`kaibao-receipt-${leaf.id}.txt`, receipt)}>
          <Download aria-hidden />
          <span>{t.saveReceipt}</span>
        </Button>
      )}
      <Button asChild size="sm" variant="ghost">
        <a href={manifestUrl(leaf.manifest)} target="_blank" rel="noreferrer">
          <ExternalLink aria-hidden />
          <span>{t.table}</span>
        </a>
      </Button>
    </div>
  )
}
