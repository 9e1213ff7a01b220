import { Link } from '@tanstack/react-router'
import { Vault as VaultIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useVault } from '@/api/vault'
import { inventoryTexts } from './texts'
import type { InventoryEntry, ItemFilter } from '@/contract/types'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { ItemGrid } from '@/components/item-grid'
import type { SellingSlots } from './selling-slots'
import { VaultCard } from './vault-card'

interface VaultProps extends SellingSlots<InventoryEntry> {
  filter: ItemFilter
  clear: () => void
  /** Sell or delist buttons. */
  sell: (entry: InventoryEntry) => ReactNode
}

/** The user's vault. Signed out, it shows a skeleton. */
export function Vault({ filter, clear, sell, pick, selection }: VaultProps) {
  const t = inventoryTexts.useT().vault
  const vault = useVault(filter)
  const filtered = Object.keys(filter).length > 0
  return (
    <>
      {selection(vault, JSON.stringify(filter))}
      <ItemGrid
        list={vault}
        label={t.list}
        failed={t.failed}
        idOf={({ id }) => id}
        noMatch={
          filtered ? { title: t.noMatchTitle, text: t.noMatchText, clear: t.clearAll, onClear: clear } : undefined
        }
        empty={<Empty />}
      >
        {(entry) => <VaultCard entry={entry} actions={pick?.(entry) ?? sell(entry)} />}
      </ItemGrid>
    </>
  )
}

function Empty() {
  const t = inventoryTexts.useT().vault
  return (
    <EmptyState
      icon={<VaultIcon />}
      title={t.comingSoon}
      text={t.emptyText}
      action={
        <div className="flex gap-3">
          <Button asChild>
            <Link to="/open-packs">{t.openPacks}</Link>
          </Button>
          <Button asChild variant="secondary">
            <Link to="/my-collection">{t.myCollection}</Link>
          </Button>
        </div>
      }
      className="panel rounded-2xl"
    />
  )
}
