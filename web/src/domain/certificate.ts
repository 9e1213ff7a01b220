import type { ItemFilter } from '@/lib/contract/types'

/** Who grades cards. A call's answer has the grader as `certType` or `certification`, a filter as `certification`. */
export const graders = ['PSA', 'CGC'] as const satisfies readonly ItemFilter['certification'][]

const lookUps = [
  { of: /psa/i, url: (number: string) => `https://www.psacard.com/cert/${number}` },
  { of: /./, url: (number: string) => `https://www.cgccards.com/certlookup/${number}/` },
]

/** The grader's public look-up of a certificate; undefined for what nobody has graded. */
export function certificateUrl(grader: string, certNumber: string): string | undefined {
  if (!certNumber) return undefined
  return lookUps.find(({ of }) => of.test(grader))?.url(encodeURIComponent(certNumber))
}
