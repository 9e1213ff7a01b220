/** A site that publishes one honest open, for tests to tell lies about. */

import { vi } from 'vitest'
import type { Draws, Opening, OpenProof } from '@/lib/contract/types'
import { type HonestOpen, honestOpen } from '@/lib/fair/fixture'

export interface Site {
  honest: HonestOpen
  opening: Opening
  /** By path; a test may put other answers in their place. */
  answers: Record<string, () => Response>
}

const pulled = {
  name: 'Card',
  imageUrl: '/media/items/c-0.svg',
  series: 'Pokemon',
  rarity: 'Rare',
  grade: 9,
  certType: 'PSA',
  certNumber: '1000417733',
  sellBackCents: 900,
  sellBackUntil: '2026-01-03T03:04:05.678Z',
} as const

export const draws: Draws = {
  opens: 3,
  countedTo: 1234,
  checkpoint: {
    origin: 'kaibao.test/log',
    size: 1234,
    root: 'ab'.repeat(32),
    text: '',
    signedAt: '2026-01-02T03:04:05.678Z',
  },
  packs: [
    {
      packId: '2',
      name: 'Pokemon',
      manifest: 'cd'.repeat(32),
      since: '2026-01-01T00:00:00.000Z',
      opens: 3,
      tiers: [
        { label: '$5-15', weight: 3, chance: 0.75, count: 2, expected: 2.25 },
        { label: 'Epic', weight: 1, chance: 0.25, count: 1, expected: 0.75 },
      ],
      chiSquare: 0.11,
      degrees: 1,
      pValue: 0.7389,
    },
  ],
}

export function proofOf(honest: HonestOpen): OpenProof {
  const { inclusionProof, ...proof } = honest.proof
  return {
    openId: honest.claim.openId,
    ...proof,
    logKey: honest.signer.verifierKey,
    inclusionProof: [...(inclusionProof ?? [])],
  }
}

export async function honestSite(): Promise<Site> {
  const honest = await honestOpen()
  const { claim, evidence } = honest
  const opening: Opening = {
    ...claim,
    packName: 'Demo Pack 1',
    createdAt: '2026-01-02T03:04:05.678Z',
    items: claim.items.map((item, i) => ({ ...pulled, ...item, inventoryId: `entry-${i}` })),
  }
  const answers: Site['answers'] = {
    [`/api/fairness/opens/${claim.openId}`]: () => Response.json(proofOf(honest)),
    [`/api/fairness/manifests/${claim.manifestHash}`]: () => new Response(evidence.manifest),
    '/log/key': () => new Response(`${evidence.publishedKey}\n`),
    '/api/opens': () => Response.json([opening]),
    '/api/fairness/commitment': () =>
      Response.json({ commitment: evidence.nextCommitment, nonce: claim.nonce + 1, userTag: '00' }),
    '/api/fairness/draws': () => Response.json(draws),
  }
  return { honest, opening, answers }
}

/** Answers fetch from the site; anything else is 404. With `answers` emptied, the site is switched off. */
export function stubSite(site: Site): void {
  vi.stubGlobal('fetch', (input: RequestInfo | URL) => {
    const url = new URL(input instanceof Request ? input.url : input, window.location.origin)
    if (Object.keys(site.answers).length === 0) return Promise.reject(new TypeError('Failed to fetch'))
    const notFound = () => Response.json({ code: 'not_found', message: 'not found', requestId: 'r1' }, { status: 404 })
    return Promise.resolve((site.answers[url.pathname] ?? notFound)())
  })
}
