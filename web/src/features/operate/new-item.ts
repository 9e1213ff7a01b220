import * as z from 'zod/mini'
import { graders } from '@/domain/certificate'
import { terms } from '@/lib/config'
import { priceCents } from '@/lib/price'
import { rarities } from '@/lib/rarity'
import { asTyped, oneOf, optional, required } from '@/lib/typed'
import type { Showing } from '@/ui/form/use-form'

const { leastGrade, mostGrade, shortestCertNumber, longestCertNumber } = terms
const certNumber = new RegExp(`^[0-9]{${shortestCertNumber},${longestCertNumber}}$`)
/** Grades go in halves. */
export const gradeStep = 0.5

/** An item to make, of what is typed. */
export const newItem = z.object({
  name: required(asTyped),
  series: required(asTyped),
  rarity: required(oneOf(rarities)),
  certType: optional(oneOf(graders)),
  certNumber: optional((text) => (certNumber.test(text) ? text : undefined)),
  grade: optional(gradeOf),
  baseValueCents: required(priceCents),
  imageUrl: optional(asTyped),
})

export const emptyItem: z.input<typeof newItem> = {
  name: '',
  series: '',
  rarity: rarities[0],
  certType: '',
  certNumber: '',
  grade: '',
  baseValueCents: '',
  imageUrl: '',
}

export type ItemForm = Showing<z.input<typeof newItem>, z.output<typeof newItem>>

function gradeOf(text: string): number | undefined {
  const grade = Number(text)
  return grade >= leastGrade && grade <= mostGrade && Number.isInteger(grade / gradeStep) ? grade : undefined
}
