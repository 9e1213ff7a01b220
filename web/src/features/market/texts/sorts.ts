import type { ItemFilter } from '@/contract/types'
import type { Language } from '@/i18n'

type Sort = NonNullable<ItemFilter['sortBy']>

/** What the orders of a list are called, as they are offered. One that the server has and that has no name here does not compile. */
export const sorts: Readonly<Record<Sort, Record<Language, string>>> = {
  'price-low': { en: 'Price: Low to High', zh: '价格：从低到高' },
  'price-high': { en: 'Price: High to Low', zh: '价格：从高到低' },
  name: { en: 'Name: A to Z', zh: '名称：A 到 Z' },
  grade: { en: 'Grade', zh: '评级' },
}

export function isSort(value: unknown): value is Sort {
  return typeof value === 'string' && Object.hasOwn(sorts, value)
}
