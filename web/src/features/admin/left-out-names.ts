import type { MadePack } from '@/contract/types'

const mostNames = 3

export function leftOutNames(cards: MadePack['leftOut'], andMore: (names: string, more: number) => string): string {
  const names = cards
    .slice(0, mostNames)
    .map(({ name }) => name)
    .join(', ')
  return cards.length > mostNames ? andMore(names, cards.length - mostNames) : names
}
