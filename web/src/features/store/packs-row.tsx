import type { ReactNode } from 'react'
import { usePacks } from '@/api/packs'
import type { Pack } from '@/contract/types'
import { Loaded } from '@/components/ui/loaded'
import { packsOnTab } from './store-tabs'
import { PackGrid, PackGridSkeleton } from './pack-grid'
import { storeTexts } from './texts'

const rowSize = 4

/** A few packs of the store, new ones first. */
export function PacksRow({ action }: { action: (pack: Pack) => ReactNode }) {
  const t = storeTexts.useT().store
  const packs = usePacks()
  return (
    <Loaded query={packs} failed={t.failed} skeleton={<PackGridSkeleton cards={rowSize} />}>
      {(all) => <PackGrid packs={newestFirst(packsOnTab(all, 'featured')).slice(0, rowSize)} action={action} />}
    </Loaded>
  )
}

function newestFirst(packs: readonly Pack[]): readonly Pack[] {
  return [...packs.filter(({ isNew }) => isNew), ...packs.filter(({ isNew }) => !isNew)]
}
