import type { ReactNode } from 'react'
import type { Pack } from '@/lib/contract/types'
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

export function PackGridSkeleton({ cards }: { cards: number }) {
  return (
    <div className={grid}>
      {Array.from({ length: cards }, (_, index) => (
        <PackCardSkeleton key={index} />
      ))}
    </div>
  )
}
