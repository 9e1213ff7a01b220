import { ArrowLeft, ArrowRight, Plus, X } from 'lucide-react'
import { lazy, type ReactNode, startTransition, useEffect, useRef, useState } from 'react'
import { useOwnEntries } from '@/api/inventory'
import { useSaveProfile } from '@/api/profile'
import { ApiError } from '@/contract/error'
import { useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { cn } from '@/lib/cn'
import { useSession } from '@/lib/session'
import { toast } from '@/lib/toast'
import { Art } from '@/components/ui/art'
import { Button } from '@/components/ui/button'
import { DialogSlot } from '@/components/ui/dialog-slot'
import { Loaded } from '@/components/ui/loaded'
import { Skeleton } from '@/components/ui/skeleton'
import { Spinner } from '@/components/ui/spinner'
import { moved } from './moved'
import type { ShowcaseCard } from './showcase-card'
import { profilesTexts } from './texts'

const CardPicker = lazy(() => import('./card-picker'))

/** Most cards of a showcase. */
const largestShowcase = 12

/** Chooses and orders the cards of the visitor's showcase. `saved` are the ids of its entries. */
export function ShowcaseEditor({ saved }: { saved: readonly string[] }) {
  const t = profilesTexts.useT().showcase
  // Later ones are those of the editor itself.
  const [initial] = useState(saved)
  return (
    <section aria-labelledby="showcase">
      <h3 id="showcase" className="font-semibold">
        {t.heading}
      </h3>
      <p className="mt-1 mb-3 text-sm text-muted-foreground">{t.text(largestShowcase)}</p>
      <Loaded query={useOwnEntries(initial)} failed={t.failed} skeleton={<Skeleton className="h-44 rounded-xl" />}>
        {(entries) => <Editor entries={entries} />}
      </Loaded>
    </section>
  )
}

/** `entries` are those of the showcase that are still the visitor's. */
function Editor({ entries }: { entries: readonly ShowcaseCard[] }) {
  const texts = useT()
  const t = profilesTexts.useT().showcase
  const { walletMismatch } = useSession()
  const [saved, setSaved] = useState(entries)
  const [cards, setCards] = useState(entries)
  const [spoken, setSpoken] = useState('')
  const [picking, setPicking] = useState<boolean>()
  const addButton = useRef<HTMLButtonElement>(null)
  const saving = useSaveProfile({
    onSuccess() {
      toast({ title: t.saved })
      setSaved(cards)
    },
    onError(error) {
      const gone = error instanceof ApiError && error.status === 422
      const description = gone ? t.gone : errorText(error, texts)
      toast({ title: t.saveFailed, description, variant: 'destructive' })
    },
  })
  const ids = cards.map(({ id }) => id)
  const changed = ids.join() !== saved.map(({ id }) => id).join()
  // The button that had the focus is gone.
  useEffect(() => {
    if (saving.isSuccess && !changed && document.activeElement === document.body) addButton.current?.focus()
  }, [saving.isSuccess, changed])

  function move(from: number, to: number) {
    if (to < 0 || to >= cards.length || from === to) return
    setCards(moved(cards, from, to))
    setSpoken(t.moved(cards[from]?.item.name ?? '', to + 1, cards.length))
  }

  function remove(id: string) {
    setCards(cards.filter((card) => card.id !== id))
    // Its button is gone.
    addButton.current?.focus()
  }

  return (
    <>
      <p role="status" className="sr-only">
        {spoken}
      </p>
      {cards.length === 0 && (
        <p className="rounded-xl border border-dashed border-line-strong px-6 py-8 text-center text-sm text-muted-foreground">
          {t.empty}
        </p>
      )}
      {cards.length > 0 && <Cards cards={cards} onMove={move} onRemove={remove} />}
      <div className="mt-4 flex flex-wrap gap-3">
        <Button
          ref={addButton}
          variant="secondary"
          disabled={walletMismatch}
          onClick={() => startTransition(() => setPicking(true))}
        >
          <Plus aria-hidden />
          <span>{t.add}</span>
        </Button>
        {changed && (
          <>
            <Button disabled={walletMismatch || saving.isPending} onClick={() => saving.mutate({ showcase: ids })}>
              {saving.isPending && <Spinner />}
              <span>{saving.isPending ? t.saving : t.save}</span>
            </Button>
            <Button
              variant="ghost"
              disabled={saving.isPending}
              onClick={() => {
                setCards(saved)
                addButton.current?.focus()
              }}
            >
              {t.undo}
            </Button>
          </>
        )}
      </div>
      <DialogSlot open={picking ?? false} onClose={() => setPicking(false)}>
        {picking !== undefined && (
          <CardPicker
            open={picking}
            chosen={cards}
            most={largestShowcase}
            onChange={setCards}
            onClose={() => setPicking(false)}
          />
        )}
      </DialogSlot>
    </>
  )
}

interface CardsProps {
  cards: readonly ShowcaseCard[]
  onMove: (from: number, to: number) => void
  onRemove: (id: string) => void
}

/** The cards in order. They are dragged, or moved with buttons. */
function Cards({ cards, onMove, onRemove }: CardsProps) {
  const t = profilesTexts.useT().showcase
  const [dragged, setDragged] = useState<string>()
  const from = cards.findIndex(({ id }) => id === dragged)
  return (
    <ol aria-label={t.list} className="grid grid-cols-2 gap-3 sm:grid-cols-4 xl:grid-cols-6">
      {cards.map(({ id, item }, index) => (
        // The buttons do the same.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
        <li
          key={id}
          draggable
          onDragStart={({ dataTransfer }) => {
            dataTransfer.effectAllowed = 'move'
            setDragged(id)
          }}
          onDragEnter={() => from >= 0 && onMove(from, index)}
          onDragOver={(event) => from >= 0 && event.preventDefault()}
          onDrop={(event) => event.preventDefault()}
          onDragEnd={() => setDragged(undefined)}
          className={cn(
            'flex cursor-grab flex-col rounded-xl border bg-background p-2.5 active:cursor-grabbing',
            id === dragged && 'border-gold opacity-60',
          )}
        >
          <Art src={item.imageUrl} alt="" loading="lazy" draggable={false} className="mx-auto h-28 object-contain" />
          <p className="mt-2 line-clamp-2 text-xs leading-4 font-medium" title={item.name}>
            {item.name}
          </p>
          <div className="mt-auto flex justify-between pt-2">
            <CardButton label={t.earlier(item.name)} disabled={index === 0} onClick={() => onMove(index, index - 1)}>
              <ArrowLeft aria-hidden />
            </CardButton>
            <CardButton
              label={t.later(item.name)}
              disabled={index === cards.length - 1}
              onClick={() => onMove(index, index + 1)}
            >
              <ArrowRight aria-hidden />
            </CardButton>
            <CardButton label={t.remove(item.name)} onClick={() => onRemove(id)}>
              <X aria-hidden />
            </CardButton>
          </div>
        </li>
      ))}
    </ol>
  )
}

interface CardButtonProps {
  label: string
  disabled?: boolean
  onClick: () => void
  children: ReactNode
}

/** Stays focusable at the ends, where a disabled button would lose the focus. */
function CardButton({ label, disabled = false, onClick, children }: CardButtonProps) {
  return (
    <Button
      variant="ghost"
      size="sm"
      aria-label={label}
      aria-disabled={disabled || undefined}
      onClick={disabled ? undefined : onClick}
      className="size-8 px-0 aria-disabled:opacity-40"
    >
      {children}
    </Button>
  )
}
