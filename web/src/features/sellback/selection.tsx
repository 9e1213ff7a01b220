import { ListChecks, X } from 'lucide-react'
import { type FormEvent, type ReactNode, type Ref, useEffect, useId, useRef, useState } from 'react'
import { numberKinds } from '@/lib/parse-number'
import { config } from '@/lib/config'
import { dollars } from '@/lib/format'
import { priceCents } from '@/lib/parse-price'
import { useSession } from '@/lib/session'
import { toast } from '@/lib/toast'
import { Button } from '@/components/ui/button'
import { HandCoinsIcon } from '@/components/ui/card-icons'
import { NumberChoices, NumberInput } from '@/components/ui/form/number-input'
import { Spinner } from '@/components/ui/spinner'
import { belowValue, duplicatesExceptOne } from './select-by'
import { isSellable, isTradable, type Owned, type Sellable, sumOf } from './sellable'
import { sellbackTexts } from './texts'
import { type PagedList, useAllPages } from './use-all-pages'

export type Picks = ReadonlyMap<string, Owned>

interface PickCheckboxProps {
  entry: Owned
  picks: Picks
  onPick: (entry: Owned, picked: boolean) => void
}

/** Replaces an entry's buttons in selection mode. The whole card is its checkbox. */
export function PickCheckbox({ entry, picks, onPick }: PickCheckboxProps) {
  const t = sellbackTexts.useT()
  const payout = dollars(entry.sellBackCents)
  if (!isTradable(entry)) {
    return <p className="grid h-8 place-items-center text-[0.8125rem] text-muted-foreground">{t.notSellable}</p>
  }
  const sellable = isSellable(entry)
  return (
    <label className="flex h-8 cursor-pointer items-center justify-center gap-2 text-[0.8125rem] font-medium after:absolute after:inset-0 after:rounded-2xl has-checked:after:ring-2 has-checked:after:ring-gold has-focus-visible:after:outline-2 has-focus-visible:after:outline-offset-2 has-focus-visible:after:outline-ring">
      <input
        type="checkbox"
        aria-label={sellable ? t.pickItem(entry.name, payout) : t.pickOther(entry.name)}
        checked={picks.has(entry.inventoryId)}
        onChange={({ currentTarget }) => onPick(entry, currentTarget.checked)}
        className="relative z-10 size-4 accent-gold outline-none"
      />
      <span>{sellable ? t.pick(payout) : entry.state === 'listed' ? t.listed : t.pickThis}</span>
    </label>
  )
}

interface SelectionProps<T> {
  list: PagedList<T>
  /** Identifies the list; changes with its filter. */
  scope: string
  owned: (entry: T) => Owned
  /** The selected entries; undefined outside selection mode. */
  picks: Picks | undefined
  onPicks: (change: (before: Picks | undefined) => Picks | undefined) => void
  onSell: (items: readonly Sellable[]) => void
  /** Further actions for the selected entries. */
  otherActions: (chosen: readonly Owned[]) => ReactNode
}

/** The button that starts selection mode, replaced by the bar while it's on. */
export function Selection<T>({ picks, ...props }: SelectionProps<T>) {
  const t = sellbackTexts.useT()
  const { list, owned, onPicks } = props
  const frame = useRef<HTMLElement>(null)
  const selecting = picks !== undefined
  const was = useRef(selecting)
  useEffect(() => {
    if (selecting !== was.current) frame.current?.focus({ preventScroll: true })
    was.current = selecting
  }, [selecting])
  if (picks) return <Bar ref={frame} picks={picks} {...props} />
  // Keeps the list's position when there's nothing to select.
  if (!list.data?.some((entry) => isTradable(owned(entry)))) return <div className="mb-4 h-8" />
  return (
    <div className="mb-4 flex justify-end">
      <Button
        ref={frame as Ref<HTMLButtonElement>}
        variant="secondary"
        size="sm"
        onClick={() => onPicks(() => new Map())}
      >
        <ListChecks aria-hidden />
        <span>{t.select}</span>
      </Button>
    </div>
  )
}

interface BarProps<T> extends SelectionProps<T> {
  ref: Ref<HTMLElement>
  picks: Picks
}

/** The selection and bulk choices, which apply to the whole filtered list, loaded or not. */
function Bar<T>({ ref, list, scope, owned, picks, onPicks, onSell, otherActions }: BarProps<T>) {
  const t = sellbackTexts.useT()
  const { walletMismatch } = useSession()
  const { reading, read } = useAllPages(list, scope, () =>
    toast({ title: t.readFailed, description: t.readFailedText, variant: 'destructive' }),
  )
  const { sellBack } = config.rules
  const chosen = [...picks.values()]
  const sold = chosen.filter(isSellable)
  const pick = (choose: (entries: readonly Owned[]) => readonly Owned[], then?: (found: readonly Owned[]) => void) =>
    read((entries) => {
      const found = choose(entries.map(owned))
      onPicks((before) => before && new Map([...before, ...found.map((entry) => [entry.inventoryId, entry] as const)]))
      then?.(found)
    })
  const sellDuplicates = () =>
    pick(duplicatesExceptOne, (found) => (found.length > 0 ? onSell(found) : toast({ title: t.noDuplicates })))
  return (
    <section
      ref={ref}
      tabIndex={-1}
      aria-label={t.bar}
      className="panel sticky top-3 z-20 mb-5 space-y-2.5 rounded-2xl p-3 shadow-float outline-none"
    >
      <div className="flex flex-wrap items-center gap-2.5">
        <Button variant="secondary" size="sm" disabled={reading} onClick={() => pick((all) => all.filter(isTradable))}>
          {t.all}
        </Button>
        {sellBack && <BelowForm disabled={reading} onBelow={(cents) => pick((all) => belowValue(all, cents))} />}
        <Button variant="ghost" size="sm" disabled={picks.size === 0} onClick={() => onPicks(() => new Map())}>
          {t.clear}
        </Button>
        {sellBack && (
          <Button variant="secondary" size="sm" disabled={walletMismatch || reading} onClick={sellDuplicates}>
            {t.duplicates}
          </Button>
        )}
        <Button variant="ghost" size="sm" className="ml-auto" onClick={() => onPicks(() => undefined)}>
          <X aria-hidden />
          <span>{t.done}</span>
        </Button>
      </div>
      <div className="flex flex-wrap items-center gap-2.5 border-t pt-2.5">
        <p role="status" className="mr-auto flex items-center gap-2 text-sm text-muted-foreground tabular-nums">
          {reading && <Spinner />}
          <span>{reading ? t.reading(list.data?.length ?? 0) : t.picked(picks.size)}</span>
        </p>
        {otherActions(chosen)}
        {sellBack && (
          <Button size="sm" disabled={walletMismatch || reading || sold.length === 0} onClick={() => onSell(sold)}>
            <HandCoinsIcon aria-hidden />
            <span>{t.pick(dollars(sumOf(sold)))}</span>
          </Button>
        )}
      </div>
    </section>
  )
}

function BelowForm({ disabled, onBelow }: { disabled: boolean; onBelow: (cents: number) => void }) {
  const t = sellbackTexts.useT()
  const [text, setText] = useState('')
  const id = useId()
  const cents = priceCents(text)
  function submit(event: FormEvent) {
    event.preventDefault()
    if (cents !== undefined) onBelow(cents)
  }
  return (
    <form noValidate onSubmit={submit} className="flex items-center gap-1.5">
      <label htmlFor={id} className="sr-only">
        {t.belowValue}
      </label>
      <NumberInput
        id={id}
        kind={numberKinds.money}
        placeholder={t.belowPlaceholder}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        className="h-8 w-24 px-2.5 text-[0.8125rem]"
      />
      <Button type="submit" variant="secondary" size="sm" disabled={disabled || cents === undefined}>
        {t.below}
      </Button>
      <NumberChoices text={text} kind={numberKinds.money} onChoose={setText} />
    </form>
  )
}
