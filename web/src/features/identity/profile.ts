import { terms } from '@/lib/config'

/** Whatever controls or cannot be seen; the server knows more of them. */
const hidden = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u

/** What is wrong with a name as it was typed; an empty one is no name, and fine. */
export function nameProblem(typed: string): 'long' | 'hidden' | undefined {
  const name = typed.normalize('NFKC').trim()
  if (hidden.test(name)) return 'hidden'
  return Array.from(name).length > terms.longestUserName ? 'long' : undefined
}

/** What is wrong with a picture's address as it was typed; none is fine. */
export function addressProblem(typed: string): 'address' | undefined {
  const address = typed.trim()
  if (address === '') return undefined
  const url = URL.parse(address)
  const fine =
    url?.protocol === 'https:' && url.username === '' && url.password === '' && address.length <= terms.longestPortrait
  return fine ? undefined : 'address'
}
