import type { Dictionary } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { ApiError } from '@/contract/error'
import { toast } from '@/lib/toast'

/** Says why something could not be put up for sale or taken back, in words for who sells: nobody charges them. */
export async function tellSeller(title: string, error: unknown, texts: Dictionary): Promise<void> {
  const own = error instanceof ApiError ? (await sellerErrors().catch(noWords))[error.code] : undefined
  toast({ title, description: own ?? errorText(error, texts), variant: 'destructive' })
}

type Words = Partial<Record<string, string>>
const noWords = (): Words => ({})

/** They come with the first refusal: most visitors never read one. */
async function sellerErrors(): Promise<Words> {
  const { marketTexts } = await import('./texts')
  return (await marketTexts.load()).selling.errors
}
