import { type FormEvent, useState } from 'react'
import { useRates } from '@/api/rates'
import { useQuotes } from '@/api/sellback'
import { percentOf } from '@/components/fee'
import { FeeChange } from '@/components/fee-change'
import { terms } from '@/lib/config'
import { dollars } from '@/lib/format'
import { useSession } from '@/lib/session'
import { toast } from '@/lib/toast'
import { Button } from '@/components/ui/button'
import { Dialog, DialogContent, DialogHeader } from '@/components/ui/dialog'
import { Facts } from '@/components/ui/facts'
import { Notice } from '@/components/ui/notice'
import { Spinner } from '@/components/ui/spinner'
import { marketTexts } from '../texts'
import { type BulkEntry, PreviewList, type PreviewLine, sellsToBid } from './preview-list'
import { applyRule, type PricingRule } from './pricing-rule'
import { PricingRuleFields } from './pricing-rule-fields'
import { type BulkAct, useBulk } from './use-bulk'

interface BulkDialogProps {
  act: BulkAct
  entries: readonly BulkEntry[]
  onDone: (ids: readonly string[]) => void
  onClose: () => void
}

/** Previews and runs a bulk action, for all entries or none. */
export default function BulkDialog({ act, entries, onDone, onClose }: BulkDialogProps) {
  const t = marketTexts.useT().bulk
  const { invalidPrice, invalidPriceText } = marketTexts.useT().selling
  const rates = useRates()
  const [excluded, setExcluded] = useState<readonly string[]>([])
  const [{ rule, input }, setPricing] = useState<{ rule: PricingRule; input: string }>({ rule: 'share', input: '100' })
  const { send, pending, far, errors, clearErrors } = useBulk(act, (ids) => {
    onDone(ids)
    onClose()
  })
  const included = entries.filter(({ inventoryId }) => !excluded.includes(inventoryId)).slice(0, terms.mostSoldBack)
  const bids = useBids(act === 'list' ? included : [])
  const lines = included.map((entry): PreviewLine => {
    const id = entry.inventoryId
    const priceCents = act === 'delist' ? undefined : applyRule(rule, input, entry)
    return { entry, priceCents, bestBidCents: bids.get(id), far: far.get(id), error: errors.get(id) }
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    if (act !== 'delist' && lines.some(({ priceCents }) => priceCents === undefined)) {
      toast({ title: invalidPrice, description: invalidPriceText, variant: 'destructive' })
      return
    }
    send(lines.map(({ entry, priceCents = 0 }) => ({ inventoryId: entry.inventoryId, priceCents })))
  }
  const leaveOut = (ids: readonly string[]) => {
    setExcluded([...excluded, ...ids])
    clearErrors()
  }
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent className="max-w-xl">
        <DialogHeader title={t.titles[act](lines.length)} text={t.texts[act](percentOf(rates.listing))} />
        <form noValidate onSubmit={submit}>
          {act !== 'delist' && (
            <PricingRuleFields
              rule={rule}
              input={input}
              canAdjust={act === 'reprice' && included.every(({ salePriceCents }) => salePriceCents != null)}
              onChange={(next, text) => {
                setPricing({ rule: next, input: text })
                clearErrors()
              }}
            />
          )}
          {far.size > 0 && <Notice>{t.far(far.size)}</Notice>}
          {errors.size > 0 && <Notice>{t.wrong}</Notice>}
          {entries.length > terms.mostSoldBack && (
            <p className="mb-2 text-sm text-muted-foreground">{t.first(terms.mostSoldBack, entries.length)}</p>
          )}
          {lines.length > 0 ? (
            <PreviewList lines={lines} delisting={act === 'delist'} />
          ) : (
            <p className="text-sm text-muted-foreground">{t.nothing}</p>
          )}
          {act !== 'delist' && <FeeChanges lines={lines} />}
          {act !== 'delist' && <Total lines={lines} />}
          <Buttons
            act={act}
            count={lines.length}
            refused={far.size > 0 ? [...far.keys()] : [...errors.keys()]}
            confirmable={far.size > 0}
            pending={pending}
            onLeaveOut={leaveOut}
            onClose={onClose}
          />
        </form>
      </DialogContent>
    </Dialog>
  )
}

/** Best bids by entry. */
function useBids(entries: readonly BulkEntry[]): ReadonlyMap<string, number> {
  const quotes = useQuotes(entries.map(({ inventoryId }) => inventoryId))
  const lines = quotes.data?.lines ?? []
  return new Map(
    lines.flatMap(({ inventoryId, bestBidCents }) =>
      bestBidCents === undefined ? [] : [[inventoryId, bestBidCents] as const],
    ),
  )
}

/** Announced changes of the fees that apply to these lines. */
function FeeChanges({ lines }: { lines: readonly PreviewLine[] }) {
  const t = marketTexts.useT().bulk
  const sold = lines.filter(sellsToBid).length
  return (
    <>
      {sold < lines.length && <FeeChange of="listing" label={t.listingFee} />}
      {sold > 0 && <FeeChange of="bid" label={t.bidFee} />}
    </>
  )
}

function Total({ lines }: { lines: readonly PreviewLine[] }) {
  const t = marketTexts.useT().bulk
  const total = lines.reduce((sum, { priceCents = 0 }) => sum + priceCents, 0)
  return <Facts className="border-t pt-4" facts={[{ label: t.total, value: dollars(total), className: 'text-lg' }]} />
}

interface ButtonsProps {
  act: BulkAct
  count: number
  /** The lines that were refused. */
  refused: readonly string[]
  /** The refused lines only need a confirmation. */
  confirmable: boolean
  pending: boolean
  onLeaveOut: (ids: readonly string[]) => void
  onClose: () => void
}

function Buttons({ act, count, refused, confirmable, pending, onLeaveOut, onClose }: ButtonsProps) {
  const t = marketTexts.useT().bulk
  const { cancel } = marketTexts.useT().selling
  const { walletMismatch } = useSession()
  const blocked = refused.length > 0 && !confirmable
  return (
    <div className="mt-5 flex flex-wrap justify-end gap-3">
      <Button variant="secondary" onClick={onClose}>
        {cancel}
      </Button>
      {refused.length > 0 && (
        <Button variant={confirmable ? 'secondary' : 'primary'} disabled={pending} onClick={() => onLeaveOut(refused)}>
          {t.leaveOut(refused.length)}
        </Button>
      )}
      {!blocked && (
        <Button type="submit" disabled={walletMismatch || pending || count === 0}>
          {pending && <Spinner />}
          <span>{pending ? t.working : confirmable ? t.confirmFar : t.confirm[act](count)}</span>
        </Button>
      )}
    </div>
  )
}
