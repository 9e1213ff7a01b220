import { dictionaryPart } from '@/i18n'

/** What stands on the page of orders before anything of them is here. */
export const ordersTexts = dictionaryPart({
  en: async () => (await import('./en')).orders,
  zh: async () => (await import('./zh')).orders,
})
