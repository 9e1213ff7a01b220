import { type FormEvent, useState } from 'react'
import { useQuotes } from '@/api/sellback'
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
import { type BulkEntry, Lines, type PreviewLine, sellsAtOnce } from './lines'
import { priceBy, type Rule } from './price'
import { RuleFields } from './rule-fields'
import { type BulkAct, useBulk } from './use-bulk'

interface BulkDialogProps {
  act: BulkAct
  entries: readonly BulkEntry[]
  onDone: (ids: readonly string[]) => void
  onClose: () => void
}

/** Shows what becomes of each of several entries, and does it with all of them or with none. */
export default function BulkDialog({ act, entries, onDone, onClose }: BulkDialogProps) {
  const t = marketTexts.useT().bulk
  const { invalidPrice, invalidPriceText } = marketTexts.useT().selling
  const [leftOut, setLeftOut] = useState<readonly string[]>([])
  const [{ rule, typed }, setRule] = useState<{ rule: Rule; typed: string }>({ rule: 'share', typed: '100' })
  const { send, pending, far, wrong, forget } = useBulk(act, (ids) => {
    onDone(ids)
    onClose()
  })
  const some = entries.filter(({ inventoryId }) => !leftOut.includes(inventoryId)).slice(0, terms.mostSoldBack)
  const bids = useBids(act === 'list' ? some : [])
  const lines = some.map((entry): PreviewLine => {
    const id = entry.inventoryId
    const priceCents = act === 'delist' ? undefined : priceBy(rule, typed, entry)
    return { entry, priceCents, bestBidCents: bids.get(id), far: far.get(id), wrong: wrong.get(id) }
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
    setLeftOut([...leftOut, ...ids])
    forget()
  }
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent className="max-w-xl">
        <DialogHeader title={t.titles[act](lines.length)} text={t.texts[act]} />
        <form noValidate onSubmit={submit}>
          {act !== 'delist' && (
            <RuleFields
              rule={rule}
              typed={typed}
              known={act === 'reprice' && some.every(({ salePriceCents }) => salePriceCents != null)}
              onChange={(next, text) => {
                setRule({ rule: next, typed: text })
                forget()
              }}
            />
          )}
          {far.size > 0 && <Notice>{t.far(far.size)}</Notice>}
          {wrong.size > 0 && <Notice>{t.wrong}</Notice>}
          {entries.length > terms.mostSoldBack && (
            <p className="mb-2 text-sm text-muted-foreground">{t.first(terms.mostSoldBack, entries.length)}</p>
          )}
          {lines.length > 0 ? (
            <Lines lines={lines} delisting={act === 'delist'} />
          ) : (
            <p className="text-sm text-muted-foreground">{t.nothing}</p>
          )}
          {act !== 'delist' && <FeeChanges lines={lines} />}
          {act !== 'delist' && <Total lines={lines} />}
          <Buttons
            act={act}
            count={lines.length}
            named={far.size > 0 ? [...far.keys()] : [...wrong.keys()]}
            meant={far.size > 0}
            pending={pending}
            onLeaveOut={leaveOut}
            onClose={onClose}
          />
        </form>
      </DialogContent>
    </Dialog>
  )
}

/** What the best bid for each pays. */
function useBids(entries: readonly BulkEntry[]): ReadonlyMap<string, number> {
  const quotes = useQuotes(entries.map(({ inventoryId }) => inventoryId))
  const lines = quotes.data?.lines ?? []
  return new Map(
    lines.flatMap(({ inventoryId, bestBidCents }) =>
      bestBidCents === undefined ? [] : [[inventoryId, bestBidCents] as const],
    ),
  )
}

/** Announced changes of the fees that these lines pay. */
function FeeChanges({ lines }: { lines: readonly PreviewLine[] }) {
  const t = marketTexts.useT().bulk
  const sold = lines.filter(sellsAtOnce).length
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
  /** The lines for which nothing was done. */
  named: readonly string[]
  /** They can be done all the same. */
  meant: boolean
  pending: boolean
  onLeaveOut: (ids: readonly string[]) => void
  onClose: () => void
}

function Buttons({ act, count, named, meant, pending, onLeaveOut, onClose }: ButtonsProps) {
  const t = marketTexts.useT().bulk
  const { cancel } = marketTexts.useT().selling
  const { frozen } = useSession()
  const blocked = named.length > 0 && !meant
  return (
    <div className="mt-5 flex flex-wrap justify-end gap-3">
      <Button variant="secondary" onClick={onClose}>
        {cancel}
      </Button>
      {named.length > 0 && (
        <Button variant={meant ? 'secondary' : 'primary'} disabled={pending} onClick={() => onLeaveOut(named)}>
          {t.leaveOut(named.length)}
        </Button>
      )}
      {!blocked && (
        <Button type="submit" disabled={frozen || pending || count === 0}>
          {pending && <Spinner />}
          <span>{pending ? t.working : meant ? t.confirmFar : t.confirm[act](count)}</span>
        </Button>
      )}
    </div>
  )
}
