import type { ItemFilter } from '@/lib/contract/types'

/** Who grades cards: the kinds of certificate. */
export const graders = ['PSA', 'CGC'] as const satisfies readonly ItemFilter['certification'][]

const lookUps = [
  { grader: /psa/i, url: (number: string) => `https://www.psacard.com/cert/${number}` },
  { grader: /./, url: (number: string) => `https://www.cgccards.com/certlookup/${number}/` },
]

/** The grader's public look-up of a certificate; undefined for what nobody has graded. */
export function certificateUrl(certType: string, certNumber: string): string | undefined {
  if (!certNumber) return undefined
  return lookUps.find(({ grader }) => grader.test(certType))?.url(encodeURIComponent(certNumber))
}
