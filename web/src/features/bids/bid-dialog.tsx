import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { type BidTerms, useChangeBid, usePlaceBid } from '@/api/bids'
import { serverNow } from '@/lib/server-clock'
import { useLanguage } from '@/i18n'
import { numberKinds } from '@/lib/parse-number'
import { terms } from '@/lib/config'
import { ApiError } from '@/contract/error'
import type { Bid, PlacedBid } from '@/contract/types'
import { dateTime, dollars, points } from '@/lib/format'
import { priceInput } from '@/lib/parse-price'
import { toast } from '@/lib/toast'
import { wholeNumber } from '@/lib/field-parsers'
import { Field } from '@/components/ui/form/field'
import { NumberField } from '@/components/ui/form/number-field'
import { useForm } from '@/components/ui/form/use-form'
import { Select } from '@/components/ui/select'
import { type BidValues, parseBid, bidSchema, durations, type BidFields } from './bid-schema'
import { PriceFields } from './price-fields'
import { priceRuleText } from './price-rule-text'
import { BidSummary } from './bid-summary'
import { CriteriaFields } from './criteria-fields'
import type { BidTarget } from './bid-target'
import { BidDialogFrame } from './bid-dialog-frame'
import { bidsTexts } from './texts'
import { useBidError } from './use-bid-error'
import { usePriceConfirmation } from './use-price-confirmation'

interface BidDialogProps {
  target: BidTarget
  /** The open bid to change; without it the dialog places a new one. */
  bid?: Bid
  onClose: () => void
}

const dayMs = 86_400_000
/** New expiry times are rounded down to this, so that a retry from a new dialog sends the same body and reuses its idempotency key. */
const expiryStepMs = 600_000

/** Places or changes a bid, and previews what it holds and fills. */
export default function BidDialog({ target, bid, onClose }: BidDialogProps) {
  const allTexts = bidsTexts.useT().bids
  const { form: t, criteria: criteriaTexts } = allTexts
  const language = useLanguage()
  const { scope, item } = target
  const byCriteria = !item
  const [pegged, setPegged] = useState(byCriteria || bid?.pegPercent !== undefined)
  const [openedAt] = useState(serverNow)
  const showError = useBidError()
  const fieldError = useFieldErrors()
  const form = useForm<BidFields, BidValues>({
    schema: bidSchema(pegged),
    defaultValues: initialFields(scope, bid),
    fieldErrorText: (problem, field) => (problem === 'wrong' || problem === 'required' ? fieldError(field) : problem),
  })
  const fields = useWatch({ control: form.control }) as BidFields
  const maxCents = parseBid(pegged ? fields.capCents : fields.priceCents)
  const { far, confirmation, onError } = usePriceConfirmation(maxCents)

  const onFailed = (error: Error) => {
    if (onError(error)) return
    if (error instanceof ApiError && 'scope' in error.fields) {
      toast({ title: t.failed, description: criteriaTexts.noSuch, variant: 'destructive' })
    } else if (!form.showServerErrors(error)) {
      showError(bid ? t.notSaved : t.failed, error)
    }
  }
  const onDone = (placed: PlacedBid) => {
    toast(successToast(placed, bid, t))
    onClose()
  }
  const placing = usePlaceBid({ onDone, onFailed })
  const changing = useChangeBid({ onDone, onFailed })
  const pending = placing.isPending || changing.isPending

  function onSubmit({ days, series, certType, rarity, minGrade, ...price }: BidValues) {
    const criteria = Object.fromEntries(
      Object.entries({ series, certType, rarity, minGrade }).filter(([, value]) => value !== undefined),
    )
    if (byCriteria && Object.keys(criteria).length === 0) {
      toast({ title: t.failed, description: criteriaTexts.none, variant: 'destructive' })
      return
    }
    const body = { ...price, ...expiry(days), ...confirmation } as BidTerms
    if (bid) changing.mutate({ id: bid.id, ...body })
    else placing.mutate({ scope: byCriteria ? criteria : scope, ...body })
  }

  function expiry(days: number | undefined) {
    if (days === undefined) return bid && { expiresAt: bid.expiresAt }
    if (!bid && days === terms.bidDays) return undefined
    return { expiresAt: new Date(Math.floor(openedAt / expiryStepMs) * expiryStepMs + days * dayMs).toISOString() }
  }

  const quantity = wholeNumber(1, terms.mostBidFor)(fields.quantity.trim()) ?? 0
  const amount = quantity > 1 ? t.times(quantity, dollars(maxCents ?? 0)) : dollars(maxCents ?? 0)
  return (
    <BidDialogFrame
      title={bid ? t.change : byCriteria ? criteriaTexts.title : t.title}
      text={byCriteria ? criteriaTexts.text : item.name}
      form={form}
      pending={pending}
      onSubmit={onSubmit}
      onClose={onClose}
      warnings={[far && t.far(dollars(far.valueCents))]}
      submit={maxCents === undefined || quantity === 0 ? allTexts.bid : far ? t.anyway(amount) : t.send(amount)}
      disabled={(pegged ? fields.capCents : fields.priceCents).trim() === ''}
      wide
    >
      {byCriteria && !bid && <CriteriaFields form={form} />}
      <PriceFields form={form} pegged={pegged} onPeggedChange={byCriteria ? undefined : setPegged} />
      <div className="grid grid-cols-2 gap-4">
        {!scope.inventoryId && <NumberField form={form} name="quantity" label={t.quantity} kind={numberKinds.whole} />}
        <Field form={form} name="days" label={t.days}>
          {(control) => (
            <Select {...control} className="w-full">
              {bid && <option value="">{t.unchanged(dateTime(bid.expiresAt, language))}</option>}
              {durations.map((days) => (
                <option key={days} value={days}>
                  {days === 1 ? t.day : t.someDays(days)}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      <BidSummary target={target} bid={bid} pegged={pegged} fields={fields} maxCents={maxCents} />
    </BidDialogFrame>
  )
}

function initialFields(scope: BidTarget['scope'], bid: Bid | undefined): BidFields {
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

/** Returns a function that says what a field accepts. */
function useFieldErrors(): (field: keyof BidFields) => string {
  const t = bidsTexts.useT().bids.form
  const language = useLanguage()
  return (field) => {
    if (field === 'pegPercent') return t.percentWrong(terms.leastPeg, terms.mostPeg)
    if (field === 'quantity') return t.percentWrong(1, terms.mostBidFor)
    return priceRuleText(t, language)
  }
}

function successToast({ filled, state, heldCents }: PlacedBid, bid: Bid | undefined, t: FormTexts) {
  const held = t.placedText(points(heldCents))
  if (filled.length === 0) return { title: bid ? t.saved : t.placed, description: held }
  const paid = t.boughtText(points(filled.reduce((sum, { priceCents }) => sum + priceCents, 0)))
  return { title: t.bought(filled.length), description: state === 'open' ? `${paid} ${held}` : paid }
}

type FormTexts = ReturnType<typeof bidsTexts.useT>['bids']['form']
