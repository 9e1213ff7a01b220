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

/** `covers` are those of its first packs, as far as the page shows them without scrolling. */
export function PackGridSkeleton({ cards, covers = [] }: { cards: number; covers?: readonly Cover[] }) {
  return (
    <div className={grid}>
      {Array.from({ length: cards }, (_, index) => (
        <PackCardSkeleton
          key={index}
          cover={index < firstRow ? covers[index] : undefined}
          // The page is seen with the first one; each more that it waited for would take its thread for a while.
          loading={index === 0 ? 'eager' : 'lazy'}
        />
      ))}
    </div>
  )
}
