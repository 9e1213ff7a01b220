import { Link } from '@tanstack/react-router'
import { ExternalLink } from 'lucide-react'
import { useState } from 'react'
import { proofsTexts } from './texts'
import { useLanguage } from '@/i18n'
import type { Opening } from '@/contract/types'
import { config } from '@/lib/config'
import { list } from '@/lib/format'
import { Button } from '@/components/ui/button'
import { Dialog, DialogContent, DialogHeader } from '@/components/ui/dialog'
import { Select } from '@/components/ui/select'
import { Loaded } from '@/components/ui/loaded'
import { SaveProof } from './save-proof'
import { StepsSkeleton } from './skeleton'
import { Verification } from './steps'
import { useProofBundle } from './use-proof-bundle'

interface VerifyDialogProps {
  /** One of them is shown at a time. */
  openings: readonly Opening[]
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Repeats draws in the browser and shows each step with its values. */
export function VerifyDialog({ openings, open, onOpenChange }: VerifyDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      {open && <Panel openings={openings} />}
    </Dialog>
  )
}

function Panel({ openings }: Pick<VerifyDialogProps, 'openings'>) {
  const t = proofsTexts.useT().verify.verification
  const language = useLanguage()
  const [openId, setOpenId] = useState(openings[0]?.openId ?? '')
  const opening = openings.find((one) => one.openId === openId)
  const query = useProofBundle(openId)
  const names = (items: Opening['items']) =>
    list(
      items.map(({ name }) => name),
      language,
    )
  return (
    <DialogContent className="max-w-2xl">
      <DialogHeader title={t.title} text={t.text} />
      {openings.length > 1 && (
        <Select
          aria-label={t.choose}
          value={openId}
          onChange={(event) => setOpenId(event.target.value)}
          className="mb-4 w-full"
        >
          {openings.map(({ openId: id, items }, i) => (
            <option key={id} value={id}>
              {t.choice(i + 1, names(items))}
            </option>
          ))}
        </Select>
      )}
      <Loaded key={openId} query={query} failed={t.failed} skeleton={<StepsSkeleton />}>
        {(bundle) => <Verification bundle={bundle} shown={opening} />}
      </Loaded>
      <p className="mt-5 text-xs leading-relaxed text-pretty text-muted-foreground">
        {opening?.order && !config.sandbox ? t.limitsSealed : t.limits}
      </p>
      <div className="mt-5 flex flex-wrap gap-2.5">
        {query.data && <SaveProof openId={openId} bundle={query.data} />}
        <Button asChild variant="ghost">
          {/* A new tab keeps the results that the dialog covers. */}
          <Link to="/verify/$openId" params={{ openId }} target="_blank">
            <ExternalLink aria-hidden />
            <span>{t.fullPage}</span>
          </Link>
        </Button>
      </div>
    </DialogContent>
  )
}
