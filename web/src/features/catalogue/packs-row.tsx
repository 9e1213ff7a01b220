import type { ReactNode } from 'react'
import { usePacks } from '@/api/packs'
import { useT } from '@/i18n'
import type { Pack } from '@/lib/contract/types'
import { ErrorState } from '@/ui/error-state'
import { packsOnTab } from './categories'
import { PackGrid, PackGridSkeleton } from './pack-grid'

const rowSize = 4

/** A taste of the store: what is new comes first. */
export function PacksRow({ action }: { action: (pack: Pack) => ReactNode }) {
  const t = useT().catalogue.store
  const packs = usePacks()
  if (packs.isPending) return <PackGridSkeleton cards={rowSize} />
  if (packs.isError) {
    return <ErrorState title={t.failed} error={packs.error} retry={() => void packs.refetch()} />
  }
  const store = packsOnTab(packs.data, 'featured')
  const newestFirst = [...store.filter((pack) => pack.isNew), ...store.filter((pack) => !pack.isNew)]
  return <PackGrid packs={newestFirst.slice(0, rowSize)} action={action} />
}
