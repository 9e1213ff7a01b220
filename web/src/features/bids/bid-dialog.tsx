import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { type BidTerms, useChangeBid, usePlaceBid } from '@/api/bids'
import { serverNow } from '@/lib/server-clock'
import { useLanguage, useT } from '@/i18n'
import { numberKinds } from '@/lib/parse-number'
import { terms } from '@/lib/config'
import { ApiError } from '@/contract/error'
import type { Bid, PlacedBid } from '@/contract/types'
import { dateTime, dollars } from '@/lib/format'
import { priceInput } from '@/lib/price'
import { toast } from '@/lib/toast'
import { wholeNumber } from '@/lib/field-parsers'
import { Button } from '@/components/ui/button'
import { Dialog, DialogContent, DialogHeader } from '@/components/ui/dialog'
import { Field } from '@/components/ui/form/field'
import { Form, SubmitButton } from '@/components/ui/form/form'
import { NumberField } from '@/components/ui/form/number-field'
import { useForm } from '@/components/ui/form/use-form'
import { Select } from '@/components/ui/select'
import { type Asked, bidCents, bidSchema, lives, type Typed } from './bid-schema'
import { BidPrice } from './bid-price'
import { BidOutlook } from './bid-outlook'
import { LikeThis } from './like-this'
import type { Subject } from './subject'
import { farPrice, tellBidder } from './tell-bidder'
import { bidsTexts } from './texts'

interface BidDialogProps {
  subject: Subject
  /** The open bid that is changed; without it a new one is placed. */
  bid?: Bid
  onClose: () => void
}

const dayMs = 86_400_000
/** To what an end is rounded down: who asks again after an answer that was lost asks for the same, from a new dialog too. */
const stepMs = 600_000

/** Asks what the visitor would pay, for how many and until when, and says what comes of it. */
export default function BidDialog({ subject, bid, onClose }: BidDialogProps) {
  const texts = useT()
  const all = bidsTexts.useT().bids
  const { form: t, like } = all
  const language = useLanguage()
  const { scope, item } = subject
  const byCriterion = !item
  const [pegged, setPegged] = useState(byCriterion || bid?.pegPercent !== undefined)
  const [opened] = useState(serverNow)
  const [far, setFar] = useState<{ most: number; valueCents: number }>()
  const form = useForm<Typed, Asked>({
    schema: bidSchema(pegged),
    typed: typedOf(scope, bid),
    say: (problem, field) => (problem === 'wrong' || problem === 'required' ? wrong(field) : problem),
  })
  const wrong = useProblems()
  const typed = useWatch({ control: form.control }) as Typed
  const most = bidCents(pegged ? typed.capCents : typed.priceCents)
  const confirming = far !== undefined && far.most === most

  const onFailed = (error: Error) => {
    const found = farPrice(error)
    if (found && most !== undefined) return setFar({ most, valueCents: found.valueCents })
    if (error instanceof ApiError && 'scope' in error.fields) {
      return toast({ title: t.failed, description: like.noSuch, variant: 'destructive' })
    }
    if (!form.refuse(error)) tellBidder(bid ? t.notSaved : t.failed, error, texts, all)
  }
  const onDone = (placed: PlacedBid) => {
    toast(said(placed, bid, t))
    onClose()
  }
  const placing = usePlaceBid({ onDone, onFailed })
  const changing = useChangeBid({ onDone, onFailed })
  const pending = placing.isPending || changing.isPending

  function submit({ days, series, certType, rarity, minGrade, ...price }: Asked) {
    const chosen = { series, certType, rarity, minGrade }
    const criterion = Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== undefined))
    if (byCriterion && Object.keys(criterion).length === 0) {
      toast({ title: t.failed, description: like.none, variant: 'destructive' })
      return
    }
    const body: BidTerms = { ...price, ...until(days), ...(confirming && { confirmedCents: far.most }) } as BidTerms
    if (bid) changing.mutate({ id: bid.id, ...body })
    else placing.mutate({ scope: byCriterion ? criterion : scope, ...body })
  }

  const until = (days: number | undefined) => {
    if (days === undefined) return bid && { expiresAt: bid.expiresAt }
    if (!bid && days === terms.bidDays) return undefined
    return { expiresAt: new Date(Math.floor(opened / stepMs) * stepMs + days * dayMs).toISOString() }
  }

  const count = wholeNumber(1, terms.mostBidFor)(typed.quantity.trim()) ?? 0
  const amount = count > 1 ? t.times(count, dollars(most ?? 0)) : dollars(most ?? 0)
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent className="max-w-lg">
        <DialogHeader
          title={bid ? t.change : byCriterion ? like.title : t.title}
          text={byCriterion ? like.text : item.name}
        />
        <Form
          form={form}
          pending={pending}
          onSubmit={submit}
          className="space-y-4"
          actions={
            <>
              {confirming && (
                <p role="alert" className="mt-4 rounded-xl bg-warning p-3 text-sm text-pretty text-warning-foreground">
                  {t.far(dollars(far.valueCents))}
                </p>
              )}
              <div className="mt-5 flex justify-end gap-3">
                <Button variant="secondary" onClick={onClose}>
                  {t.cancel}
                </Button>
                <SubmitButton pending={pending}>
                  {most === undefined || count === 0 ? all.bid : confirming ? t.anyway(amount) : t.send(amount)}
                </SubmitButton>
              </div>
            </>
          }
        >
          {byCriterion && !bid && <LikeThis form={form} />}
          <BidPrice form={form} pegged={pegged} onPegged={byCriterion ? undefined : setPegged} />
          <div className="grid grid-cols-2 gap-4">
            {!scope.inventoryId && (
              <NumberField form={form} name="quantity" label={t.quantity} kind={numberKinds.whole} />
            )}
            <Field form={form} name="days" label={t.days}>
              {(control) => (
                <Select {...control} className="w-full">
                  {bid && <option value="">{t.unchanged(dateTime(bid.expiresAt, language))}</option>}
                  {lives.map((days) => (
                    <option key={days} value={days}>
                      {days === 1 ? t.day : t.someDays(days)}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
          </div>
          <BidOutlook subject={subject} bid={bid} pegged={pegged} typed={typed} most={most} />
        </Form>
      </DialogContent>
    </Dialog>
  )
}

/** What stands in the fields at first. */
function typedOf(scope: Subject['scope'], bid: Bid | undefined): Typed {
  const text = (cents: number | undefined) => (cents === undefined ? '' : priceInput(cents))
  return {
    priceCents: text(bid?.priceCents),
    pegPercent: String(bid?.pegPercent ?? 95),
    capCents: text(bid?.capCents),
    quantity: String(bid?.left ?? 1),
    days: bid ? '' : String(terms.bidDays),
    series: scope.series ?? '',
    certType: scope.certType ?? '',
    rarity: scope.rarity ?? '',
    minGrade: String(scope.minGrade ?? ''),
  }
}

/** What a field wants of what is typed into it. */
function useProblems(): (field: keyof Typed) => string {
  const t = bidsTexts.useT().bids.form
  return (field) => {
    if (field === 'pegPercent') return t.percentWrong(terms.leastPeg, terms.mostPeg)
    if (field === 'quantity') return t.percentWrong(1, terms.mostBidFor)
    const steps = terms.bidSteps.map(({ stepCents, upToCents }, at) =>
      at === terms.bidSteps.length - 1
        ? t.lastStep(dollars(stepCents))
        : t.step(dollars(stepCents), dollars(upToCents)),
    )
    return t.priceWrong(dollars(terms.leastBidCents), steps.join(', '))
  }
}

/** What became of it, for a toast. */
function said({ filled, state, heldCents }: PlacedBid, bid: Bid | undefined, t: FormTexts) {
  const paid = filled.reduce((sum, { priceCents }) => sum + priceCents, 0)
  if (filled.length > 0) {
    const rest = state === 'open' ? ` ${t.placedText(dollars(heldCents))}` : ''
    return { title: t.bought(filled.length), description: t.boughtText(dollars(paid)) + rest }
  }
  return { title: bid ? t.saved : t.placed, description: t.placedText(dollars(heldCents)) }
}

type FormTexts = ReturnType<typeof bidsTexts.useT>['bids']['form']
