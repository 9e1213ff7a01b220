import { Link } from '@tanstack/react-router'
import { ExternalLink } from 'lucide-react'
import { proofsTexts } from './texts'
import type { Opening } from '@/contract/types'
import { Button } from '@/components/ui/button'
import { Dialog, DialogContent, DialogHeader } from '@/components/ui/dialog'
import { Loaded } from '@/components/ui/loaded'
import { SaveProof } from './save-proof'
import { StepsSkeleton } from './skeleton'
import { Verification } from './steps'
import { useProofBundle } from './use-proof-bundle'

interface VerifyDialogProps {
  opening: Opening
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Repeats a draw in the browser and shows each step with its values. */
export function VerifyDialog({ opening, open, onOpenChange }: VerifyDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      {open && <Panel opening={opening} />}
    </Dialog>
  )
}

function Panel({ opening }: { opening: Opening }) {
  const t = proofsTexts.useT().verify.verification
  const query = useProofBundle(opening.openId)
  return (
    <DialogContent className="max-w-2xl">
      <DialogHeader title={t.title} text={t.text} />
      <Loaded query={query} failed={t.failed} skeleton={<StepsSkeleton />}>
        {(bundle) => <Verification bundle={bundle} shown={opening} />}
      </Loaded>
      <p className="mt-5 text-xs leading-relaxed text-pretty text-muted-foreground">{t.limits}</p>
      <div className="mt-5 flex flex-wrap gap-2.5">
        {query.data && <SaveProof openId={opening.openId} bundle={query.data} />}
        <Button asChild variant="ghost">
          {/* A new tab keeps the results that the dialog covers. */}
          <Link to="/verify/$openId" params={{ openId: opening.openId }} target="_blank">
            <ExternalLink aria-hidden />
            <span>{t.fullPage}</span>
          </Link>
        </Button>
      </div>
    </DialogContent>
  )
}
