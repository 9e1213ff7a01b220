import type { Manifest } from '@/lib/protocol/manifest'

/** 32 random bits. */
type Random = () => number

const range = 2 ** 32

const ownEntropy: Random = () => crypto.getRandomValues(new Uint32Array(1))[0]!

/**
 * The tiers that a roll can end in. One without a weight is never rolled; it is drawn from, with all others, only
 * where the lowest tier that is rolled has no card to fall back on.
 */
function withChance(tiers: Manifest['tiers']): Manifest['tiers'] {
  const rolled = tiers.filter(({ weight }) => weight > 0n)
  return rolled[0]?.cards.length ? rolled : tiers
}

/**
 * A uniform pick from everything the pack can yield, as the specification's section 5 wants of the
 * demo. Its entropy is the browser's own and never touches a real draw.
 */
export function pickDemoCard(manifest: Pick<Manifest, 'tiers'>, random: Random = ownEntropy): string {
  const ids = [...new Set(withChance(manifest.tiers).flatMap(({ cards }) => cards.map(({ id }) => id)))]
  // Numbers above the largest multiple would favour the first cards.
  const fair = range - (range % ids.length)
  let number = random()
  while (number >= fair) number = random()
  const id = ids[number % ids.length]
  if (id === undefined) throw new Error('the pack holds no card')
  return id
}
