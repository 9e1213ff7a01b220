import { useLanguage, useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { ApiError } from '@/contract/error'
import { refusalInChinese } from './texts/zh-refusals'

/** The text of a refused act: the server's reason if the error's code has many, such as a conflict. */
export function useRefusalText(): (error: Error) => string {
  const texts = useT()
  const language = useLanguage()
  return (error) => {
    if (!(error instanceof ApiError && (error.code === 'conflict' || error.code === 'forbidden')))
      return errorText(error, texts)
    return language === 'zh' ? refusalInChinese(error.message) : error.message
  }
}
