import { Check } from 'lucide-react'
import { useState } from 'react'
import { useInventory } from '@/api/inventory'
import { cn } from '@/lib/cn'
import { dollars } from '@/lib/format'
import { useComposedText } from '@/lib/ime'
import { useDebounced } from '@/lib/use-debounced'
import { Art } from '@/components/ui/art'
import { Button } from '@/components/ui/button'
import { Dialog, DialogContent, DialogHeader } from '@/components/ui/dialog'
import { Input } from '@/components/ui/input'
import { Loaded } from '@/components/ui/loaded'
import { ScrollRegion } from '@/components/ui/scroll-region'
import { Skeleton } from '@/components/ui/skeleton'
import type { ShowcaseCard } from './showcase-card'
import { profilesTexts } from './texts'

interface CardPickerProps {
  open: boolean
  chosen: readonly ShowcaseCard[]
  /** Most cards that can be chosen. */
  most: number
  onChange: (chosen: ShowcaseCard[]) => void
  onClose: () => void
}

/** Chooses cards of the visitor's collection, the most valuable first. */
export default function CardPicker({ open, chosen, most, onChange, onClose }: CardPickerProps) {
  const t = profilesTexts.useT().showcase
  const [typed, setTyped] = useState('')
  const search = useDebounced(useComposedText(typed.trim()))
  const entries = useInventory({}, { sortBy: 'price-high', ...(search && { search }) })
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()}>
      <DialogContent className="max-w-2xl">
        <DialogHeader title={t.pickTitle} text={<span role="status">{t.pickText(chosen.length, most)}</span>} />
        <Input
          aria-label={t.search}
          placeholder={t.search}
          autoComplete="off"
          value={typed}
          maxLength={100}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <ScrollRegion aria-label={t.pickList} className="mt-4 h-[50dvh]">
          <Loaded
            query={entries}
            failed={t.failed}
            skeleton={<Skeleton className="h-full rounded-xl" />}
            empty={
              <p className="grid h-full place-items-center text-sm text-muted-foreground">
                {search ? t.noMatch : t.noCards}
              </p>
            }
          >
            {(cards) => (
              <>
                <ul className="grid grid-cols-2 gap-3 py-1 sm:grid-cols-4">
                  {cards.map((card) => (
                    <li key={card.id}>
                      <PickableCard card={card} chosen={chosen} most={most} onChange={onChange} />
                    </li>
                  ))}
                </ul>
                {entries.hasNextPage && (
                  <Button
                    variant="secondary"
                    className="mt-3 w-full"
                    disabled={entries.isFetchingNextPage}
                    onClick={() => void entries.fetchNextPage()}
                  >
                    {t.more}
                  </Button>
                )}
              </>
            )}
          </Loaded>
        </ScrollRegion>
        <div className="mt-4 flex justify-end">
          <Button onClick={onClose}>{t.done}</Button>
        </div>
      </DialogContent>
    </Dialog>
  )
}

interface PickableCardProps extends Pick<CardPickerProps, 'chosen' | 'most' | 'onChange'> {
  card: ShowcaseCard
}

function PickableCard({ card, chosen, most, onChange }: PickableCardProps) {
  const t = profilesTexts.useT().showcase
  const { id, item } = card
  const picked = chosen.some((one) => one.id === id)
  const full = !picked && chosen.length >= most
  function toggle() {
    if (picked) onChange(chosen.filter((one) => one.id !== id))
    else if (!full) onChange([...chosen, card])
  }
  return (
    <button
      type="button"
      aria-pressed={picked}
      aria-disabled={full || undefined}
      aria-label={t.pick(item.name, dollars(item.baseValueCents))}
      onClick={toggle}
      className={cn(
        'relative flex h-full w-full flex-col rounded-xl border bg-background p-2.5 text-left hover:border-line-strong aria-disabled:cursor-default aria-disabled:opacity-50',
        picked && 'border-gold! bg-muted',
      )}
    >
      {picked && (
        <span className="absolute top-2 right-2 grid size-6 place-items-center rounded-full bg-gold text-gold-foreground">
          <Check aria-hidden className="size-4" />
        </span>
      )}
      <Art src={item.imageUrl} alt="" loading="lazy" className="mx-auto h-28 object-contain" />
      <span className="mt-2 line-clamp-2 text-xs leading-4 font-medium">{item.name}</span>
      <span className="mt-auto pt-1 text-xs text-muted-foreground tabular-nums">{dollars(item.baseValueCents)}</span>
    </button>
  )
}
