import type { Manifest } from '@/lib/protocol/manifest'

/** 32 random bits. */
type Random = () => number

const range = 2 ** 32

const ownEntropy: Random = () => crypto.getRandomValues(new Uint32Array(1))[0]!

/**
 * Tiers a draw can end in: those with a weight, or all of them if the lowest of those has no cards to fall back on.
 */
function withChance(tiers: Manifest['tiers']): Manifest['tiers'] {
  const rolled = tiers.filter(({ weight }) => weight > 0n)
  return rolled[0]?.cards.length ? rolled : tiers
}

/** A uniform pick of all possible cards, as section 5 of the specification requires. Unrelated to real draws. */
export function pickDemoCard(manifest: Pick<Manifest, 'tiers'>, random: Random = ownEntropy): string {
  const ids = [...new Set(withChance(manifest.tiers).flatMap(({ cards }) => cards.map(({ id }) => id)))]
  // Rejection sampling, to avoid modulo bias.
  const fair = range - (range % ids.length)
  let number = random()
  while (number >= fair) number = random()
  const id = ids[number % ids.length]
  if (id === undefined) throw new Error('the pack holds no card')
  return id
}
