import { createStore, useStore } from '@/lib/store'
import type * as en from './en'

export type Language = 'en' | 'zh'
export type Dictionary = typeof en

// A visitor downloads one language. English is the measure: a text missing in Chinese does not compile.
const dictionaries: Record<Language, () => Promise<Dictionary>> = {
  en: () => import('./en'),
  zh: () => import('./zh'),
}
const key = 'language'

/** Chinese for anything but English. */
function languageOf(browserLanguage: string): Language {
  return /^en\b/i.test(browserLanguage) ? 'en' : 'zh'
}

/** The remembered language, or on a first visit the browser's. */
export function initialLanguage(): Language {
  const stored = localStorage.getItem(key)
  return stored === 'en' || stored === 'zh' ? stored : languageOf(navigator.language)
}

const current = createStore<{ language: Language; texts: Dictionary } | null>(null)

/** Brings a language to the screen once its texts are here. Awaited once before the first render. */
export async function showLanguage(language: Language): Promise<void> {
  const texts = await dictionaries[language]()
  current.set({ language, texts })
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en'
}

/** The visitor's choice: shown now and remembered. */
export async function setLanguage(language: Language): Promise<void> {
  localStorage.setItem(key, language)
  await showLanguage(language)
}

function useCurrent() {
  const value = useStore(current)
  if (!value) throw new Error('rendered before showLanguage')
  return value
}

export function useLanguage(): Language {
  return useCurrent().language
}

/** The texts in the visitor's language. Texts with values are functions: `t.shell.balance(points)`. */
export function useT(): Dictionary {
  return useCurrent().texts
}
