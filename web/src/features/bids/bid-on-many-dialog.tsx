import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useOpenBids } from '@/api/bids'
import { type PlacedBids, usePlaceBids } from '@/api/many-bids'
import { useWallet } from '@/api/wallet'
import { Points } from '@/components/points'
import { farPrice } from '@/contract/far-price'
import { useLanguage, useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { dollars, points } from '@/lib/format'
import { numberKinds } from '@/lib/parse-number'
import { useSession } from '@/lib/session'
import { toast } from '@/lib/toast'
import { Art } from '@/components/ui/art'
import { Button } from '@/components/ui/button'
import { Dialog, DialogContent, DialogHeader } from '@/components/ui/dialog'
import { Facts } from '@/components/ui/facts'
import { NumberChoices, NumberInput } from '@/components/ui/form/number-input'
import { ScrollRegion } from '@/components/ui/scroll-region'
import { Spinner } from '@/components/ui/spinner'
import { type BidItem, bidsOf, defaultPercent, type Typed, typedPrice, wrongPrices } from './many-bids'
import { priceRuleText } from './price-rule-text'
import { bidsTexts } from './texts'
import { bidErrorText } from './use-bid-error'

interface BidOnManyDialogProps {
  items: readonly BidItem[]
  onClose: () => void
}

/** Bids on one copy each of several cards. Cards that the user already bids on are left out. */
export default function BidOnManyDialog({ items, onClose }: BidOnManyDialogProps) {
  const { many: t, form: formTexts } = bidsTexts.useT().bids
  const { walletMismatch } = useSession()
  const [typed, setTyped] = useState<Typed>({ prices: new Map(), confirmed: new Map() })
  const { placing, problems, done } = usePlacing({ setTyped, onClose })
  const open = useOpenBids()
  const bidOn = new Set(open.data?.map(({ scope }) => scope.itemId))
  const left = items.filter(({ id }) => !bidOn.has(id) && !done.has(id))
  const already = items.length - left.length - done.size
  const bids = bidsOf(left, typed)
  const wrong = wrongPrices(left, typed.prices)
  const heldCents = bids.reduce((sum, { priceCents }) => sum + priceCents, 0)
  const balanceCents = useWallet().data?.balanceCents
  const missingCents = balanceCents === undefined ? 0 : heldCents - balanceCents
  const pending = placing.isPending
  function onSubmit(event: FormEvent) {
    event.preventDefault()
    if (bids.length > 0 && wrong.size === 0) placing.mutate(bids)
  }
  return (
    <Dialog open onOpenChange={(nowOpen) => !nowOpen && onClose()}>
      <DialogContent className="max-w-2xl">
        <DialogHeader title={t.title(left.length || items.length)} text={t.text(defaultPercent)} />
        <form noValidate onSubmit={onSubmit}>
          {already > 0 && (
            <p className="mb-3 text-sm text-muted-foreground">{left.length > 0 ? t.already(already) : t.allBid}</p>
          )}
          <ScrollRegion aria-label={t.list} className="max-h-[max(11rem,100dvh-27rem)]">
            <ul className="divide-y divide-line">
              {left.map((item) => (
                <Row
                  key={item.id}
                  item={item}
                  text={typedPrice(item, typed.prices)}
                  wrong={wrong.has(item.id)}
                  problem={problems.get(item.id)}
                  onChange={(text) =>
                    setTyped(({ prices, confirmed }) => ({ prices: new Map(prices).set(item.id, text), confirmed }))
                  }
                />
              ))}
            </ul>
          </ScrollRegion>
          <div className="mt-4 space-y-3 border-t border-line pt-4">
            <Facts
              facts={[
                {
                  label: t.held(bids.length),
                  value: <Points cents={heldCents} />,
                  className: 'text-lg text-gold-text',
                },
                ...(balanceCents === undefined ? [] : [{ label: t.balance, value: <Points cents={balanceCents} /> }]),
              ]}
            />
            <p className="text-sm text-pretty text-muted-foreground">{formTexts.heldText}</p>
            <div className="flex flex-wrap justify-end gap-3">
              <Button variant="secondary" onClick={onClose}>
                {formTexts.cancel}
              </Button>
              {missingCents > 0 ? (
                <Button asChild>
                  <Link to="/topup" search={{ amount: Math.ceil(missingCents / 100) }}>
                    {t.topUp(points(missingCents))}
                  </Link>
                </Button>
              ) : (
                <Button type="submit" disabled={walletMismatch || pending || bids.length === 0 || wrong.size > 0}>
                  {pending && <Spinner />}
                  <span>{pending ? t.placing : t.confirm}</span>
                </Button>
              )}
            </div>
          </div>
        </form>
      </DialogContent>
    </Dialog>
  )
}

interface PlacingProps {
  setTyped: (change: (before: Typed) => Typed) => void
  onClose: () => void
}

/** Places the bids and keeps what became of them: cards with a bid, and why the last one was refused. */
function usePlacing({ setTyped, onClose }: PlacingProps) {
  const allTexts = useT()
  const { many: t, errors } = bidsTexts.useT().bids
  const [done, setDone] = useState<ReadonlySet<string>>(new Set())
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map())
  function onDone({ placed, refused }: PlacedBids) {
    setDone((before) => new Set([...before, ...placed.map(({ body }) => String(body.scope.itemId))]))
    const bought = placed.filter(({ answer }) => answer.filled.length > 0).length
    const heldCents = placed.reduce((sum, { answer }) => sum + answer.heldCents, 0)
    const texts = [...(bought > 0 ? [t.bought(bought)] : []), ...(heldCents > 0 ? [t.heldNow(points(heldCents))] : [])]
    if (!refused) {
      toast({ title: t.placed(placed.length), description: texts.join(' ') })
      onClose()
      return
    }
    const { body, error } = refused
    const itemId = String(body.scope.itemId)
    const far = farPrice(error)
    setProblems(
      new Map([
        [itemId, far ? t.far(dollars(far.valueCents)) : (bidErrorText(error, errors) ?? errorText(error, allTexts))],
      ]),
    )
    const { priceCents } = body
    if (far && priceCents !== undefined)
      setTyped(({ prices, confirmed }) => ({ prices, confirmed: new Map(confirmed).set(itemId, priceCents) }))
    toast({ title: t.stopped(placed.length), description: t.stoppedText, variant: 'destructive' })
  }
  return { placing: usePlaceBids(onDone), problems, done }
}

interface RowProps {
  item: BidItem
  text: string
  wrong: boolean
  /** Why the bid was refused. */
  problem: string | undefined
  onChange: (text: string) => void
}

/** A card and the price to bid. */
function Row({ item: { id, name, imageUrl, baseValueCents }, text, wrong, problem, onChange }: RowProps) {
  const { many: t, form } = bidsTexts.useT().bids
  const language = useLanguage()
  const problemId = `bid-${id}`
  const shown = wrong ? priceRuleText(form, language) : problem
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <Art src={imageUrl} alt="" loading="lazy" className="h-14 w-auto shrink-0" />
      <div className="min-w-40 flex-1 text-sm">
        <p className="text-pretty">{name}</p>
        <p className="text-muted-foreground">{t.value(dollars(baseValueCents))}</p>
      </div>
      <div className="relative w-28">
        <span aria-hidden className="absolute top-1/2 left-3.5 -translate-y-1/2 text-muted-foreground">
          $
        </span>
        <NumberInput
          className="pl-7"
          kind={numberKinds.money}
          aria-label={t.price(name)}
          aria-invalid={shown !== undefined}
          aria-describedby={problemId}
          value={text}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      </div>
      <p id={problemId} aria-live="polite" className="basis-full text-[0.8125rem] text-destructive-text empty:hidden">
        {shown}
      </p>
      <NumberChoices text={text} kind={numberKinds.money} onChoose={onChange} />
    </li>
  )
}
