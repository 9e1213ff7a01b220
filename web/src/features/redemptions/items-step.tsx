import { Link } from '@tanstack/react-router'
import { Vault } from 'lucide-react'
import { useVaultWith } from '@/api/vault'
import { ItemCard } from '@/components/item-card'
import { itemOf } from '@/components/shown-item'
import type { ClaimTerms, InventoryEntry } from '@/contract/types'
import { dollars } from '@/lib/format'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { Loaded } from '@/components/ui/loaded'
import { Skeleton } from '@/components/ui/skeleton'
import { StepPanel } from './step-panel'
import { redemptionsTexts } from './texts'

interface ItemsStepProps {
  terms: ClaimTerms
  /** Entry ids. */
  chosen: readonly string[]
  onChoose: (ids: string[]) => void
  onNext: () => void
}

export function ItemsStep({ terms: { mostItems, finiteOnly }, chosen, onChoose, onNext }: ItemsStepProps) {
  const t = redemptionsTexts.useT().flow
  const vault = useVaultWith(chosen)
  const toggle = (id: string) =>
    onChoose(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id])
  return (
    <StepPanel title={t.itemsTitle} text={`${t.itemsText(mostItems)}${finiteOnly ? ` ${t.finiteOnly}` : ''}`}>
      <Loaded query={vault} failed={t.vaultFailed} skeleton={<Skeleton className="mt-5 h-80 rounded-xl" />}>
        {(entries) => {
          const held = entries.filter(({ state }) => state === 'held')
          const picked = held.filter(({ id }) => chosen.includes(id))
          const value = picked.reduce((sum, { item }) => sum + item.baseValueCents, 0)
          if (held.length === 0) return <EmptyVault />
          return (
            <>
              <ul className="mt-5 grid gap-3 lg:grid-cols-2">
                {held.map((entry) => (
                  <ItemChoice
                    key={entry.id}
                    entry={entry}
                    picked={chosen.includes(entry.id)}
                    full={picked.length >= mostItems}
                    onToggle={() => toggle(entry.id)}
                  />
                ))}
              </ul>
              {vault.hasNextPage && (
                <Button
                  variant="ghost"
                  className="mt-3 w-full"
                  disabled={vault.isFetchingNextPage}
                  onClick={() => void vault.fetchNextPage()}
                >
                  {t.more}
                </Button>
              )}
              <div className="mt-6 flex flex-wrap items-center justify-between gap-4 border-t pt-5">
                <p role="status" className="font-medium tabular-nums">
                  {picked.length > 0 ? t.selected(picked.length, dollars(value)) : t.noneSelected}
                </p>
                <Button
                  disabled={picked.length === 0 || vault.isFetchingNextPage}
                  onClick={() => {
                    if (picked.length < chosen.length) onChoose(picked.map(({ id }) => id))
                    onNext()
                  }}
                >
                  {t.next}
                </Button>
              </div>
            </>
          )
        }}
      </Loaded>
    </StepPanel>
  )
}

interface ItemChoiceProps {
  entry: InventoryEntry
  picked: boolean
  full: boolean
  onToggle: () => void
}

function ItemChoice({ entry, picked, full, onToggle }: ItemChoiceProps) {
  const t = redemptionsTexts.useT().flow
  return (
    <li className="flex items-center gap-3 rounded-xl border px-3.5 py-2.5 transition-colors has-checked:border-gold-text has-checked:bg-muted">
      <input
        type="checkbox"
        aria-label={t.select(entry.item.name)}
        checked={picked}
        disabled={full && !picked}
        onChange={onToggle}
        className="size-5 shrink-0 cursor-pointer accent-gold"
      />
      <ItemCard
        item={itemOf(entry)}
        layout="row"
        pictureClassName="h-16"
        valueCents={entry.item.baseValueCents}
        className="min-w-0 flex-1"
      />
    </li>
  )
}

function EmptyVault() {
  const t = redemptionsTexts.useT().flow
  return (
    <EmptyState
      icon={<Vault />}
      title={t.vaultEmpty}
      text={t.vaultEmptyText}
      level={3}
      action={
        <Button asChild variant="secondary">
          <Link to="/my-collection">{t.toCollection}</Link>
        </Button>
      }
      className="py-10"
    />
  )
}
