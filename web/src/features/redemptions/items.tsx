import { ItemCard } from '@/components/item-card'
import { itemOf } from '@/components/shown-item'
import type { Claim } from '@/contract/types'

/** What is in a claim, a line each. */
export function ClaimItems({ items }: Pick<Claim, 'items'>) {
  return (
    <ul className="divide-y divide-line">
      {items.map((one) => (
        <li key={one.inventoryId} className="py-2.5 first:pt-0">
          <ItemCard
            item={itemOf({ id: one.inventoryId, item: one.item })}
            look="row"
            pictureClassName="h-16"
            valueCents={one.valueCents}
          />
        </li>
      ))}
    </ul>
  )
}
