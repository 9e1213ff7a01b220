import { use } from 'react'
import { savePreference } from '@/lib/preference'
import type { Language } from '@/lib/language'
import { loadCode } from '@/lib/load-code'
import { localStore } from '@/lib/storage'
import { createStore, useStore } from '@/lib/store'
import type * as en from './texts/en'

export type { Language }

/** The texts that every page needs. Each other part is loaded with its feature. */
export type Dictionary = typeof en

type Loaders<T> = Record<Language, () => Promise<T>>

const dictionaries: Loaders<Dictionary> = { en: () => import('./texts/en'), zh: () => import('./texts/zh') }

/** Chinese for anything but English. */
function languageOf(browserLanguage: string): Language {
  return /^en\b/i.test(browserLanguage) ? 'en' : 'zh'
}

/** The remembered language, or on a first visit the browser's. */
export function initialLanguage(): Language {
  const stored = localStore.getItem('language')
  return stored === 'en' || stored === 'zh' ? stored : languageOf(navigator.language)
}

/** Loaded parts. A change of language loads them too, so that nothing flickers. */
const partsInUse = new Set<(language: Language) => Promise<unknown>>()

const current = createStore<{ language: Language; texts: Dictionary } | null>(null)

/** Brings a language to the screen once its texts are here. Awaited once before the first render. */
export async function showLanguage(language: Language): Promise<void> {
  const [texts] = await Promise.all([
    loadCode(dictionaries[language]),
    ...[...partsInUse].map((load) => load(language)),
  ])
  current.set({ language, texts })
  const lang = language === 'zh' ? 'zh-CN' : 'en'
  // Setting even the same value would restyle the whole page.
  if (document.documentElement.lang !== lang) document.documentElement.lang = lang
}

/** The visitor's choice: shown now and remembered. */
export async function setLanguage(language: Language): Promise<void> {
  savePreference('language', language)
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

export interface DictionaryPart<T> {
  /** For a route's loader: the page does not show before its texts are here. */
  load: () => Promise<T>
  /** Suspends while the texts are on their way. */
  useT: () => T
}

/** Texts too many for the first page: they are loaded with the code that shows them. */
export function dictionaryPart<T>(loaders: Loaders<T>): DictionaryPart<T> {
  const asked: Partial<Record<Language, Promise<T>>> = {}
  function load(language: Language): Promise<T> {
    partsInUse.add(load)
    return (asked[language] ??= loadOnce(language))
  }
  function loadOnce(language: Language): Promise<T> {
    // A failure is kept too: to ask again on every render would never end. `loadCode` tries again, at its own pace.
    const texts = loadCode(loaders[language]).then((value) => {
      // With these fields React uses the value immediately instead of suspending on first use.
      void Object.assign(texts, { status: 'fulfilled', value })
      return value
    })
    return texts
  }
  return {
    load: () => load(current.get()?.language ?? initialLanguage()),
    useT: () => use(load(useLanguage())),
  }
}
