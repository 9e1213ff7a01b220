import { ItemCard } from '@/components/item-card'
import { itemOf } from '@/components/shown-item'
import type { Claim } from '@/contract/types'

export function ClaimItems({ items }: Pick<Claim, 'items'>) {
  return (
    <ul className="divide-y divide-line">
      {items.map((claimed) => (
        <li key={claimed.inventoryId} className="py-2.5 first:pt-0">
          <ItemCard
            item={itemOf({ id: claimed.inventoryId, item: claimed.item })}
            layout="row"
            pictureClassName="h-16"
            valueCents={claimed.valueCents}
          />
        </li>
      ))}
    </ul>
  )
}
