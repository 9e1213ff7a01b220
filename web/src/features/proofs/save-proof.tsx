import { Download } from 'lucide-react'
import { proofsTexts } from './texts'
import { downloadText } from '@/lib/share'
import { Button } from '@/components/ui/button'
import { proofFile } from './proof-file'
import type { ProofBundle } from './use-proof-bundle'

/** Saves everything needed to verify an open elsewhere. */
export function SaveProof({ openId, bundle }: { openId: string; bundle: ProofBundle }) {
  const t = proofsTexts.useT().verify.proof
  return (
    <Button variant="secondary" onClick={() => downloadText(`kaibao-proof-${openId}.json`, proofFile(openId, bundle))}>
      <Download aria-hidden />
      <span>{t.save}</span>
    </Button>
  )
}
