import { verifyTexts } from '@/i18n/verify'
import { parseOpenLeaf } from '@/lib/fair/leaf'
import { ByHand } from './by-hand'
import { Drawn } from './drawn'
import { SaveProof } from './save-proof'
import { Verification } from './steps'
import type { Case } from './use-case'
import { useOwn } from './use-steps'

/** A case on a page: every step, what was drawn, and how to check it elsewhere. */
export function Result({ checked }: { checked: Case }) {
  const t = verifyTexts.useT()
  const { proof, manifest } = checked
  const leaf = parseOpenLeaf(proof.leaf)
  const mine = useOwn(leaf?.id)
  return (
    <div className="grid items-start gap-x-8 gap-y-6 xl:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="min-w-0 space-y-6">
        <Verification checked={checked} />
        {manifest && <ByHand proof={proof} manifest={manifest} />}
      </div>
      <aside className="space-y-5 max-xl:row-start-1">
        {leaf && <Drawn leaf={leaf} manifest={manifest} mine={mine !== undefined} />}
        {leaf && (
          <div className="space-y-2">
            <SaveProof openId={leaf.id} saved={checked} />
            <p className="text-xs text-muted-foreground">{t.proof.saveHelp}</p>
          </div>
        )}
        <p className="text-xs leading-relaxed text-pretty text-muted-foreground">{t.verification.limits}</p>
      </aside>
    </div>
  )
}
