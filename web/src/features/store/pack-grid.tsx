import type { ReactNode } from 'react'
import type { Cover } from '@/lib/config'
import type { Pack } from '@/contract/types'
import { PackCard, PackCardSkeleton } from './pack-card'

const grid = 'grid grid-cols-2 gap-5 lg:grid-cols-3 xl:grid-cols-4'

const firstRow = 4

interface PackGridProps {
  packs: readonly Pack[]
  action: (pack: Pack) => ReactNode
}

export function PackGrid({ packs, action }: PackGridProps) {
  return (
    <ul className={grid}>
      {packs.map((pack, index) => (
        <li key={pack.id}>
          <PackCard pack={pack} inSight={index < firstRow} action={action(pack)} />
        </li>
      ))}
    </ul>
  )
}

/** `covers` are the covers of the first packs, above the fold. */
export function PackGridSkeleton({ cards, covers = [] }: { cards: number; covers?: readonly Cover[] }) {
  return (
    <div className={grid}>
      {Array.from({ length: cards }, (_, index) => (
        <PackCardSkeleton
          key={index}
          cover={index < firstRow ? covers[index] : undefined}
          // Only the first cover is decoded before paint: more would block the main thread.
          loading={index === 0 ? 'eager' : 'lazy'}
        />
      ))}
    </div>
  )
}
