import { expect, it } from 'vitest'
import { certificateUrl } from './certificate'

it.each([
  ['PSA', '0417733', 'https://www.psacard.com/cert/0417733'],
  ['PSA', '0000417733', undefined],
  ['psa (regraded)', '1', 'https://www.psacard.com/cert/1'],
  ['CGC', '1000000042', 'https://www.cgccards.com/certlookup/1000000042/'],
  ['CGC', '../x', 'https://www.cgccards.com/certlookup/..%2Fx/'],
  ['PSA', '', undefined],
  ['', '', undefined],
])('links to the certificate of %s %s', (grader, number, url) => {
  expect(certificateUrl(grader, number)).toBe(url)
})
