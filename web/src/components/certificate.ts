import type { ItemFilter } from '@/contract/types'

/** Grading companies. The API calls them `certType` or `certification`. */
export const graders = ['PSA', 'CGC'] as const satisfies readonly ItemFilter['certification'][]

const lookUps = [
  { of: /psa/i, url: (number: string) => `https://www.psacard.com/cert/${number}` },
  { of: /./, url: (number: string) => `https://www.cgccards.com/certlookup/${number}/` },
]

/** True for the certificate of a demo card: no grader issues numbers that begin with 0000. */
export const isSample = (certNumber: string): boolean => certNumber.startsWith('0000')

/** URL of the grader's public certificate page; undefined for samples and ungraded items. */
export function certificateUrl(grader: string, certNumber: string): string | undefined {
  if (!certNumber || isSample(certNumber)) return undefined
  return lookUps.find(({ of }) => of.test(grader))?.url(encodeURIComponent(certNumber))
}
