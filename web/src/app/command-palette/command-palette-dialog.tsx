import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type KeyboardEvent, useDeferredValue, useId, useState } from 'react'
import { usePacks } from '@/api/packs'
import { searchQuery } from '@/api/items'
import { useLanguage, useT } from '@/i18n'
import { useSeriesName } from '@/i18n/names'
import { commandPaletteTexts } from './texts'
import { useSession } from '@/lib/session'
import { useComposedText } from '@/lib/ime'
import { Dialog, DialogContent, DialogHeader } from '@/components/ui/dialog'
import { InlineError } from '@/components/ui/inline-error'
import { Input } from '@/components/ui/input'
import { type Target, targetsFor } from './search'

interface CommandPaletteDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Finds pages, packs and items by name and navigates to them. */
export default function CommandPaletteDialog({ open, onOpenChange }: CommandPaletteDialogProps) {
  const t = commandPaletteTexts.useT()
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      {/* A class for one axis would override the dialog's own for the other. */}
      <DialogContent style={{ translate: '-50% 0' }} className="top-24 max-h-[calc(100dvh-7rem)] max-w-xl">
        <DialogHeader title={t.title} text={<span className="sr-only">{t.text}</span>} />
        <Search onClose={() => onOpenChange(false)} />
      </DialogContent>
    </Dialog>
  )
}

function useTargets(query: string) {
  const { nav } = useT().shell
  const language = useLanguage()
  const seriesName = useSeriesName()
  const { user } = useSession()
  const packs = usePacks()
  const items = useQuery(searchQuery(useDeferredValue(query.trim())))
  const failed = [packs, items].filter(({ isError }) => isError)
  return {
    targets: targetsFor(query, {
      names: nav,
      language,
      seriesName,
      isAdmin: user?.role === 'admin',
      packs: packs.data ?? [],
      items: query.trim() ? (items.data ?? []) : [],
    }),
    retry: failed.length > 0 ? () => failed.forEach(({ refetch }) => void refetch()) : undefined,
  }
}

/** An ARIA combobox: focus stays in the field while the arrow keys move through the list. */
function Search({ onClose }: { onClose: () => void }) {
  const t = commandPaletteTexts.useT()
  const router = useRouter()
  const id = useId()
  const [query, setQuery] = useState('')
  const [chosen, setChosen] = useState(0)
  const { targets, retry } = useTargets(useComposedText(query))
  const current = Math.min(chosen, targets.length - 1)

  function open(target: Target | undefined) {
    if (!target) return
    onClose()
    void router.navigate({ href: target.to })
  }

  function onKeyDown(event: KeyboardEvent) {
    const next = { ArrowDown: current + 1, ArrowUp: current - 1 }[event.key]
    if (next !== undefined && targets.length > 0) {
      event.preventDefault()
      setChosen((next + targets.length) % targets.length)
    } else if (event.key === 'Enter') open(targets[current])
  }

  return (
    <>
      <Input
        role="combobox"
        aria-expanded
        aria-controls={id}
        aria-activedescendant={targets[current] && `${id}-${current}`}
        aria-label={t.title}
        autoComplete="off"
        placeholder={t.placeholder}
        value={query}
        onChange={(event) => {
          setQuery(event.target.value)
          setChosen(0)
        }}
        onKeyDown={onKeyDown}
      />
      {retry && <InlineError text={t.failed} retry={retry} className="mt-3" />}
      <p role="status" className={targets.length > 0 ? 'sr-only' : 'py-8 text-center text-sm text-muted-foreground'}>
        {targets.length > 0 ? t.found(targets.length) : t.nothing(query)}
      </p>
      <div role="listbox" id={id} aria-label={t.title} className="mt-3 max-h-[50dvh] overflow-y-auto">
        {targets.map((target, index) => (
          <Option
            key={target.kind + target.key}
            id={`${id}-${index}`}
            target={target}
            current={index === current}
            onChoose={() => open(target)}
          />
        ))}
      </div>
    </>
  )
}

interface OptionProps {
  id: string
  target: Target
  current: boolean
  onChoose: () => void
}

function Option({ id, target, current, onChoose }: OptionProps) {
  const t = commandPaletteTexts.useT()
  return (
    <div
      id={id}
      role="option"
      aria-selected={current}
      tabIndex={-1}
      ref={(element) => {
        if (current) element?.scrollIntoView({ block: 'nearest' })
      }}
      onClick={onChoose}
      onKeyDown={(event) => event.key === 'Enter' && onChoose()}
      className="flex cursor-pointer items-baseline gap-3 rounded-lg border-l-4 border-transparent px-3 py-2 text-sm hover:bg-muted aria-selected:border-gold-text aria-selected:bg-muted"
    >
      <span className="min-w-0 truncate font-medium">{target.text}</span>
      {target.detail && <span className="text-xs whitespace-nowrap text-muted-foreground">{target.detail}</span>}
      <span className="ml-auto text-xs whitespace-nowrap text-muted-foreground">{t.kinds[target.kind]}</span>
    </div>
  )
}
