import * as z from 'zod/mini'
import { terms } from '@/lib/config'
import { priceCents } from '@/lib/price'
import { asTyped, optional, required, whole } from '@/lib/typed'
import type { Form } from '@/ui/form/use-form'

/** The odds of every pack made here (specification, section 5). */
const shares = { Common: 0.6, Rare: 0.25, Epic: 0.1, Legendary: 0.04, Mythic: 0.01 }
const usualItems = 5
/** The supply of a pack that never sells out. */
export const unlimited = -1

const { highestPackPriceCents, highestAcceptedLossCents, mostItemsPerPack, mostSupply } = terms

/** A pack to make, of what is typed. */
export const newPack = z.object({
  name: required(asTyped),
  priceCents: required((text) => priceCents(text, highestPackPriceCents)),
  lootTableJson: z.pipe(
    required(whole(1, mostItemsPerPack)),
    z.transform((itemsPerPack) => ({ rarities: shares, itemsPerPack })),
  ),
  series: optional((series) => [series]),
  supply: z.pipe(
    optional(whole(unlimited, mostSupply)),
    z.transform((supply) => supply ?? unlimited),
  ),
  coverImageUrl: optional(asTyped),
  acceptedLossCents: optional((text) => priceCents(text, highestAcceptedLossCents)),
})

export const emptyPack: z.input<typeof newPack> = {
  name: '',
  priceCents: '',
  lootTableJson: String(usualItems),
  series: '',
  supply: String(unlimited),
  coverImageUrl: '',
  acceptedLossCents: '',
}

export type PackForm = Form<z.input<typeof newPack>, z.output<typeof newPack>>
