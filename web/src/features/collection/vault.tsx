import { Link } from '@tanstack/react-router'
import { Vault as VaultIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useVault } from '@/api/vault'
import { marketTexts } from '@/i18n/market'
import type { InventoryEntry, ItemFilter } from '@/lib/contract/types'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { Shelf } from '@/domain/shelf'
import type { SellingSlots } from './selling-slots'
import { VaultCard } from './vault-card'

interface VaultProps extends SellingSlots<InventoryEntry> {
  filter: ItemFilter
  clear: () => void
  /** What sells an entry, or takes it back. */
  sell: (entry: InventoryEntry) => ReactNode
}

/** What lies in the visitor's vault. Without a wallet it shows the shape of a vault and nothing of anybody's. */
export function Vault({ filter, clear, sell, pick, selection }: VaultProps) {
  const t = marketTexts.useT()
  const vault = useVault(filter)
  const filtered = Object.keys(filter).length > 0
  return (
    <>
      {selection(vault, JSON.stringify(filter))}
      <Shelf
        list={vault}
        label={t.vault.list}
        failed={t.vault.failed}
        idOf={({ id }) => id}
        noMatch={
          filtered
            ? { title: t.vault.noMatchTitle, text: t.vault.noMatchText, clear: t.filter.clearAll, onClear: clear }
            : undefined
        }
        empty={<Empty />}
      >
        {(entry) => <VaultCard entry={entry} actions={pick?.(entry) ?? sell(entry)} />}
      </Shelf>
    </>
  )
}

function Empty() {
  const t = marketTexts.useT()
  return (
    <EmptyState
      icon={<VaultIcon />}
      title={t.vault.comingSoon}
      text={t.vault.emptyText}
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
