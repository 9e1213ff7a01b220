import { provideTexts } from '@/i18n'
import type * as en from './en'

type Texts = typeof en

declare module '@/i18n' {
  interface Dictionary extends Texts {}
}

// A visitor downloads one language. English is the measure: a text missing in Chinese does not compile.
provideTexts({ en: () => import('./en'), zh: () => import('./zh') })
