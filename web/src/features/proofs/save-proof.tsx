import { Download } from 'lucide-react'
import { proofsTexts } from './texts'
import { downloadText } from '@/lib/share'
import { Button } from '@/components/ui/button'
import { proofFile } from './proof-file'
import type { Case } from './use-case'

/** Saves all that is needed to check an open elsewhere. */
export function SaveProof({ openId, saved }: { openId: string; saved: Case }) {
  const t = proofsTexts.useT().verify.proof
  return (
    <Button variant="secondary" onClick={() => downloadText(`kaibao-proof-${openId}.json`, proofFile(openId, saved))}>
      <Download aria-hidden />
      <span>{t.save}</span>
    </Button>
  )
}
