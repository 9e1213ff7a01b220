import { Gift, Tag, Truck } from 'lucide-react'
import type { ReactNode } from 'react'
import type { InventoryEntry } from '@/contract/types'
import { VaultIcon } from '@/components/ui/card-icons'
import { cn } from '@/lib/cn'
import { inventoryTexts } from './texts'

/** Where an entry is: in the vault, listed, being shipped or being given. Nothing for others. */
export function StateMark({ state, vaulted }: Pick<InventoryEntry, 'state' | 'vaulted'>) {
  const t = inventoryTexts.useT().states
  switch (state) {
    case 'listed':
      return <Mark icon={<Tag />}>{t.listed}</Mark>
    case 'claimed':
      return <Mark icon={<Truck />}>{t.shipping}</Mark>
    case 'giving':
      return <Mark icon={<Gift />}>{t.giving}</Mark>
    case 'held':
      return vaulted && <VaultedMark />
    default:
      return null
  }
}

/** The state of an entry in the vault; replaces the button that sent it there. */
export function VaultedMark() {
  return (
    <Mark icon={<VaultIcon />} className="text-positive-text">
      {inventoryTexts.useT().cards.vaulted}
    </Mark>
  )
}

function Mark({ icon, className, children }: { icon: ReactNode; className?: string; children: ReactNode }) {
  return (
    <p
      className={cn(
        'flex h-8 items-center justify-center gap-2 text-[0.8125rem] font-medium text-muted-foreground [&_svg]:size-4',
        className,
      )}
    >
      <span aria-hidden>{icon}</span>
      <span>{children}</span>
    </p>
  )
}
