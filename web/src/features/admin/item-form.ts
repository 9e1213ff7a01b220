import * as z from 'zod/mini'
import type { ItemChange } from '@/api/admin-items'
import { graders } from '@/components/certificate'
import { numberKinds, parseNumber } from '@/lib/parse-number'
import { terms } from '@/lib/config'
import type { AdminItem } from '@/contract/types'
import { priceCents, priceInput } from '@/lib/parse-price'
import { rarities } from '@/lib/rarity'
import { anyText, oneOf, optional, required, wholeNumber } from '@/lib/field-parsers'
import type { DefinedOnly, FieldForm } from '@/components/ui/form/use-form'

const { leastGrade, mostGrade, shortestCertNumber, longestCertNumber } = terms
const certNumber = new RegExp(`^[0-9]{${shortestCertNumber},${longestCertNumber}}$`)
const gradeStep = 0.5
/** Longest set and set number, in characters. */
export const longest = { set: 64, setNumber: 20 }

/** Turns the form's texts into an item. */
export const itemSchema = z.object({
  name: required(anyText),
  series: required(anyText),
  rarity: required(oneOf(rarities)),
  certType: optional(oneOf(graders)),
  certNumber: optional((text) => (certNumber.test(text) ? text : undefined)),
  set: optional(anyText),
  setNumber: optional(anyText),
  grade: optional(gradeOf),
  baseValueCents: required(priceCents),
  imageUrl: optional(anyText),
  isActive: z.pipe(
    z.string(),
    z.transform((text) => text === 'true'),
  ),
  source: optional(anyText),
  reason: optional(anyText),
  restock: optional(countOf),
  restockPack: optional(anyText),
})

type ItemBody = z.output<typeof itemSchema>

export const emptyItem: z.input<typeof itemSchema> = {
  name: '',
  series: '',
  rarity: rarities[0],
  certType: '',
  certNumber: '',
  set: '',
  setNumber: '',
  grade: '',
  baseValueCents: '',
  imageUrl: '',
  isActive: 'true',
  source: '',
  reason: '',
  restock: '',
  restockPack: '',
}

export type ItemForm = FieldForm<z.input<typeof itemSchema>, ItemBody>

/** The body for a new item: without the fields that only edits have. */
export function newItemBody(typed: DefinedOnly<ItemBody>) {
  const {
    isActive: _isActive,
    source: _source,
    reason: _reason,
    restock: _restock,
    restockPack: _pack,
    ...item
  } = typed
  return item
}

/** Initial texts of the form. */
export function initialItem(item: AdminItem): z.input<typeof itemSchema> {
  return {
    ...emptyItem,
    name: item.name,
    series: item.series,
    rarity: item.rarity,
    certType: item.certType,
    certNumber: item.certNumber,
    set: item.set ?? '',
    setNumber: item.setNumber ?? '',
    grade: item.grade === null ? '' : String(item.grade),
    baseValueCents: priceInput(item.baseValueCents),
    imageUrl: item.ownImageUrl,
    isActive: String(item.isActive),
  }
}

/** The changed fields. A changed value is sent with its source. */
export function itemChanges(item: AdminItem, body: DefinedOnly<ItemBody>): ItemChange {
  const texts = (['name', 'series', 'certNumber', 'set', 'setNumber'] as const).filter(
    (field) => (body[field] ?? '') !== (item[field] ?? ''),
  )
  const valued = body.baseValueCents !== item.baseValueCents
  return {
    ...Object.fromEntries(texts.map((field) => [field, body[field] ?? ''])),
    ...(body.rarity !== item.rarity && { rarity: body.rarity }),
    ...((body.certType ?? '') !== item.certType && { certType: body.certType ?? '' }),
    ...((body.grade ?? null) !== item.grade && { grade: body.grade ?? null }),
    ...((body.imageUrl ?? '') !== item.ownImageUrl && { imageUrl: body.imageUrl ?? '' }),
    ...(body.isActive !== item.isActive && { isActive: body.isActive }),
    ...(valued && { baseValueCents: body.baseValueCents, source: body.source ?? '' }),
    ...(body.restock !== undefined && {
      restock: { count: body.restock, ...(body.restockPack && { packId: body.restockPack }) },
    }),
    ...(body.reason && { reason: body.reason }),
  }
}

function countOf(text: string): number | undefined {
  const count = wholeNumber(-terms.mostRestock, terms.mostRestock, numberKinds.signedWhole)(text)
  return count === 0 ? undefined : count
}

function gradeOf(text: string): number | undefined {
  const grade = Number(parseNumber(text, numberKinds.grade) ?? NaN)
  return grade >= leastGrade && grade <= mostGrade && Number.isInteger(grade / gradeStep) ? grade : undefined
}
