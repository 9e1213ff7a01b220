import type { ItemFilter } from '@/contract/types'
import type { Language } from '@/i18n'

type Sort = NonNullable<ItemFilter['sortBy']>

/** The names of the sort orders. A new order of the server needs one: it doesn't compile without. */
export const sorts: Readonly<Record<Sort, Record<Language, string>>> = {
  'price-low': { en: 'Price: low to high', zh: '价格：从低到高' },
  'price-high': { en: 'Price: high to low', zh: '价格：从高到低' },
  name: { en: 'Name: A to Z', zh: '名称：A 到 Z' },
  grade: { en: 'Grade: high to low', zh: '评级：从高到低' },
}

export function isSort(value: unknown): value is Sort {
  return typeof value === 'string' && Object.hasOwn(sorts, value)
}
