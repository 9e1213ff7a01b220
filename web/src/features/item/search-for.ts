import { terms } from '@/lib/config'

/** So many different words a search may have. */
const mostWords = 8

/** A search of the marketplace that finds an item by its name: as many of its words as a search may have. */
export function searchFor(name: string): string {
  const words = name.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  const different = [...new Set(words.map((word) => word.toLowerCase()))].slice(0, mostWords)
  return different.reduce((text, word) => {
    const longer = text ? `${text} ${word}` : word
    return longer.length <= terms.longestSearch ? longer : text
  }, '')
}
