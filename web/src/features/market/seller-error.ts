import type { Dictionary } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { ApiError } from '@/contract/error'
import { toast } from '@/lib/toast'

/** Shows why listing, repricing or delisting failed. The shared texts mention charges, which don't concern sellers. */
export async function showSellerError(title: string, error: unknown, dictionary: Dictionary): Promise<void> {
  const text = error instanceof ApiError ? (await sellerErrors().catch(noTexts))[error.code] : undefined
  toast({ title, description: text ?? errorText(error, dictionary), variant: 'destructive' })
}

type Texts = Partial<Record<string, string>>
const noTexts = (): Texts => ({})

/** Loaded with the first error. */
async function sellerErrors(): Promise<Texts> {
  const { marketTexts } = await import('./texts')
  return (await marketTexts.load()).selling.errors
}
