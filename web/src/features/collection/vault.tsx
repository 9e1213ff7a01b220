import { Link } from '@tanstack/react-router'
import { SearchX, Vault as VaultIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { marketTexts } from '@/i18n/market'
import type { InventoryEntry, ItemFilter } from '@/lib/api/types'
import { cn } from '@/lib/cn'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { EndlessGrid } from '@/ui/endless-grid'
import { ErrorState } from '@/ui/error-state'
import { ShelfCardSkeleton, shelfColumns, ShelfSkeleton } from '@/ui/shelf-skeleton'
import { useVault } from './api/vault'
import { VaultCard } from './vault-card'

interface VaultProps {
  filter: ItemFilter
  clear: () => void
  /** What sells an entry, or takes it back. */
  sell: (entry: InventoryEntry) => ReactNode
}

/** What lies in the visitor's vault. Without a wallet it shows the shape of a vault and nothing of anybody's. */
export function Vault({ filter, clear, sell }: VaultProps) {
  const t = marketTexts.useT()
  const vault = useVault(filter)
  if (vault.isLoadingError) {
    return <ErrorState title={t.vault.failed} error={vault.error} retry={() => void vault.refetch()} />
  }
  if (!vault.data) return <ShelfSkeleton />
  return (
    <div aria-busy={vault.isPlaceholderData} className={cn('transition-opacity', vault.isPlaceholderData && 'opacity-60')}>
      {vault.data.length > 0 ? (
        <EndlessGrid
          list={vault}
          label={t.vault.list}
          failed={t.vault.failed}
          columns={shelfColumns}
          skeleton={<ShelfCardSkeleton />}
          idOf={({ id }) => id}
        >
          {(entry) => <VaultCard entry={entry} sell={sell(entry)} />}
        </EndlessGrid>
      ) : Object.keys(filter).length > 0 ? (
        <NoMatch clear={clear} />
      ) : (
        <Empty />
      )}
    </div>
  )
}

function NoMatch({ clear }: { clear: () => void }) {
  const t = marketTexts.useT()
  return (
    <EmptyState
      icon={<SearchX />}
      title={t.vault.noMatchTitle}
      text={t.vault.noMatchText}
      action={<Button onClick={clear}>{t.filter.clearAll}</Button>}
      className="panel rounded-2xl"
    />
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
