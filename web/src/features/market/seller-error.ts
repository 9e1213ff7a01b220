import { useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { tradeTexts } from '@/i18n/trade'
import { ApiError } from '@/lib/api/error'

/** Why something could not be put up for sale or taken back, in words for who sells: nobody charges them. */
export function useSellerErrorText(): (error: unknown) => string {
  const texts = useT()
  const { sellerErrors } = tradeTexts.useT()
  return (error) => {
    const own = error instanceof ApiError && Object.entries(sellerErrors).find(([code]) => code === error.code)
    return own ? own[1] : errorText(error, texts)
  }
}
