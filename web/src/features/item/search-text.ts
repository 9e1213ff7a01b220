import { terms } from '@/lib/config'

/** The server's limit of distinct words. */
const maxWords = 8

/** A marketplace search for an item's name, within the limits of words and length. */
export function searchTextOf(name: string): string {
  const words = name.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  const different = [...new Set(words.map((word) => word.toLowerCase()))].slice(0, maxWords)
  return different.reduce((text, word) => {
    const longer = text ? `${text} ${word}` : word
    return longer.length <= terms.longestSearch ? longer : text
  }, '')
}
