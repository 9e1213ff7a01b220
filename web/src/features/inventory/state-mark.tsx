import { Truck } from 'lucide-react'
import { GiftIcon, TagIcon } from '@/components/ui/card-icons'
import type { InventoryEntry } from '@/contract/types'
import { inventoryTexts } from './texts'
import { Mark, VaultedMark } from './vaulted-mark'

/** An entry's state: in the vault, listed, being shipped or being given; nothing for other entries. */
export function StateMark({ state, vaulted }: Pick<InventoryEntry, 'state' | 'vaulted'>) {
  const t = inventoryTexts.useT().states
  switch (state) {
    case 'listed':
      return <Mark icon={<TagIcon />}>{t.listed}</Mark>
    case 'claimed':
      return <Mark icon={<Truck />}>{t.shipping}</Mark>
    case 'giving':
      return <Mark icon={<GiftIcon />}>{t.giving}</Mark>
    case 'held':
      return vaulted && <VaultedMark />
    default:
      return null
  }
}
