import * as z from 'zod/mini'
import type { NewPack, PackChange } from '@/api/admin-packs'
import type { AdminPack, PackPreview } from '@/contract/types'
import { numberKinds, parseNumber } from '@/lib/parse-number'
import { terms } from '@/lib/config'
import { priceCents, priceInput } from '@/lib/parse-price'
import { rarities } from '@/lib/rarity'
import { anyText, optional, required, wholeNumber } from '@/lib/field-parsers'
import type { Form } from '@/components/ui/form/use-form'

/** Default odds of a new pack, in percent (specification, section 5). */
const defaultShares: Readonly<Record<string, string>> = {
  Common: '60',
  Rare: '25',
  Epic: '10',
  Legendary: '4',
  Mythic: '1',
}
const defaultItemsPerPack = 5
/** The supply of a pack that never sells out. */
export const unlimited = -1
/** 100% in millionths, the server's precision. */
const fullShare = 1_000_000

const { highestPackPriceCents, highestAcceptedLossCents, mostItemsPerPack, mostSupply } = terms

/** Texts of the form's fields. The odds of each tier are share0, share1 … */
export type PackFields = Record<`share${number}`, string> & {
  name: string
  nameZh: string
  priceCents: string
  itemsPerPack: string
  series: string
  supply: string
  coverImageUrl: string
  isActive: string
  acceptedLossCents: string
  sealing: string
}

/** How packs are drawn: at once, with a later round of a public beacon, or as the player chooses. */
export const sealings = ['instant', 'choice', 'sealed'] as const

export type Sealing = (typeof sealings)[number]

/** Packs whose best card is worth at least this many times the price are sealed unless the admin decides otherwise. */
const minSealedMultiple = 20

type Figures = NonNullable<PackPreview['figures']>

/** The way of drawing that fits a pack, and that a new one gets unless the admin chooses. */
export function suggestedSealing(
  { priceCents: price, supply }: Pick<PackFields, 'priceCents' | 'supply'>,
  figures: Pick<Figures, 'isLimited' | 'bestCardCents'> | undefined,
): Sealing {
  const { isLimited = false, bestCardCents = 0 } = figures ?? {}
  const hasSupply = Number(parseNumber(supply, numberKinds.signedWhole) ?? unlimited) >= 0
  const cents = priceCents(price, highestPackPriceCents) ?? 0
  return isLimited || hasSupply || (cents > 0 && bestCardCents >= minSealedMultiple * cents) ? 'sealed' : 'instant'
}

export type PackForm = Form<PackFields, PackBody>

export type PackBody = Omit<NewPack, 'isActive'> & { isActive: boolean }

/** The tiers of a pack; for a pack that draws by rarity, every rarity. */
export function tiersOf(pack: AdminPack | undefined): readonly string[] {
  if (!pack || pack.lootTableJson) return rarities
  return pack.wanted.shares.map(({ label }) => label)
}

/** Parses a percentage to millionths; undefined if invalid. */
function parseShare(text: string): number | undefined {
  const [before = '', decimals = ''] = parseNumber(text, numberKinds.percent)?.split('.') ?? []
  const share = before === '' ? NaN : Number(before + decimals.padEnd(4, '0'))
  return share <= fullShare ? share : undefined
}

/** The sum of all valid shares, in millionths. */
export function totalShare(values: Readonly<Record<string, string>>, tiers: readonly string[]): number {
  return tiers.reduce((sum, _, at) => sum + (parseShare(values[`share${at}`] ?? '') ?? 0), 0)
}

export const isFullShare = (sum: number): boolean => sum === fullShare

/** 298000 → "29.8" */
export function formatShare(share: number): string {
  return String(share / 10_000)
}

/** Turns the form's texts into the request body. */
export function packSchema(tiers: readonly string[]): z.ZodMiniType<PackBody, PackFields> {
  const shares = Object.fromEntries(tiers.map((_, at) => [`share${at}`, optional(parseShare)]))
  const fields = z.object({
    name: required(anyText),
    nameZh: optional(anyText),
    priceCents: required((text) => priceCents(text, highestPackPriceCents)),
    itemsPerPack: required(wholeNumber(1, mostItemsPerPack)),
    series: optional((text) => text.split('\n')),
    supply: z.pipe(
      optional(wholeNumber(unlimited, mostSupply, numberKinds.signedWhole)),
      z.transform((supply) => supply ?? unlimited),
    ),
    coverImageUrl: optional(anyText),
    isActive: z.pipe(
      z.string(),
      z.transform((text) => text === 'true'),
    ),
    acceptedLossCents: optional((text) => priceCents(text, highestAcceptedLossCents)),
    sealing: optional((text) => sealings.find((sealing) => sealing === text)),
    ...shares,
  })
  return z.pipe(
    fields,
    z.transform(({ itemsPerPack, series, coverImageUrl, acceptedLossCents, sealing, ...rest }): PackBody => {
      const { name, nameZh, priceCents: cents, supply, isActive } = rest
      return {
        name,
        ...(nameZh && { nameZh }),
        priceCents: cents,
        lootTableJson: { rarities: sharesOf(rest, tiers), itemsPerPack },
        ...(series && { series }),
        supply,
        ...(coverImageUrl && { coverImageUrl }),
        isActive,
        ...(acceptedLossCents !== undefined && { acceptedLossCents }),
        ...(sealing && { sealing }),
      }
    }),
  )
}

function sharesOf(shares: Readonly<Record<string, unknown>>, tiers: readonly string[]): Record<string, number> {
  const parsedShares = tiers.map((label, at) => [label, shares[`share${at}`]] as const)
  return Object.fromEntries(
    parsedShares.flatMap(([label, share]) =>
      typeof share === 'number' && share > 0 ? [[label, share / fullShare]] : [],
    ),
  )
}

/** Initial texts of the form. */
export function initialPack(pack: AdminPack | undefined): PackFields {
  const tiers = tiersOf(pack)
  const shareOf = (label: string): string => {
    if (!pack) return defaultShares[label] ?? ''
    const share = pack.wanted.shares.find((one) => one.label === label)?.share
    return share === undefined ? '' : formatShare(Math.round(Number(share) * fullShare))
  }
  const shares = Object.fromEntries(tiers.map((label, at) => [`share${at}`, shareOf(label)]))
  if (!pack) {
    const blank = {
      name: '',
      nameZh: '',
      priceCents: '',
      series: '',
      coverImageUrl: '',
      acceptedLossCents: '',
      sealing: '',
      isActive: 'true',
    }
    return { ...blank, itemsPerPack: String(defaultItemsPerPack), supply: String(unlimited), ...shares }
  }
  const { wanted, supply } = pack
  const accepted = wanted.acceptedLossCents
  return {
    name: wanted.name,
    nameZh: wanted.nameZh ?? '',
    priceCents: priceInput(wanted.priceCents),
    itemsPerPack: String(wanted.itemsPerPack),
    series: wanted.series.join('\n'),
    supply: String(supply),
    coverImageUrl: wanted.coverImageUrl,
    isActive: String(wanted.isActive),
    sealing: wanted.sealing,
    acceptedLossCents: accepted != null && accepted > 0 ? priceInput(accepted) : '',
    ...shares,
  }
}

/** The changed fields only: unchanged odds aren't sent, so that odds published as weights stay as they are. */
export function packChanges(before: PackBody, after: PackBody): PackChange {
  const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
  const { rarities: shares, itemsPerPack } = after.lootTableJson
  const loot = {
    ...(!same(shares, before.lootTableJson.rarities) && { rarities: shares }),
    ...(itemsPerPack !== before.lootTableJson.itemsPerPack && { itemsPerPack }),
  }
  const [nameZh, wasNameZh] = [after.nameZh ?? '', before.nameZh ?? '']
  const [cover, wasCover] = [after.coverImageUrl ?? '', before.coverImageUrl ?? '']
  const [series, wasSeries] = [after.series ?? [], before.series ?? []]
  const [loss, wasLoss] = [after.acceptedLossCents ?? 0, before.acceptedLossCents ?? 0]
  return {
    ...(after.name !== before.name && { name: after.name }),
    ...(nameZh !== wasNameZh && { nameZh }),
    ...(after.priceCents !== before.priceCents && { priceCents: after.priceCents }),
    ...(Object.keys(loot).length > 0 && { lootTableJson: loot }),
    ...(!same(series, wasSeries) && { series }),
    ...(after.supply !== before.supply && { supply: after.supply ?? unlimited }),
    ...(cover !== wasCover && { coverImageUrl: cover }),
    ...(after.isActive !== before.isActive && { isActive: after.isActive }),
    ...(loss !== wasLoss && { acceptedLossCents: loss }),
    ...(after.sealing && after.sealing !== before.sealing && { sealing: after.sealing }),
  }
}

/** The preview request; undefined while price, item count or odds are invalid. */
export function previewRequest(values: PackFields, pack: AdminPack | undefined) {
  const tiers = tiersOf(pack)
  const read = packSchema(tiers).safeParse({ ...values, name: values.name.trim() || '-', coverImageUrl: '' })
  if (!read.success) return undefined
  if (!pack) {
    const { name: _, nameZh: __, isActive: ___, ...asked } = read.data
    return asked
  }
  const was = packSchema(tiers).safeParse({ ...initialPack(pack), coverImageUrl: '' })
  if (!was.success) return undefined
  const { name: _, nameZh: __, isActive: ___, ...asked } = packChanges(was.data, read.data)
  return { packId: pack.id, ...asked }
}
