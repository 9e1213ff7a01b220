import * as z from 'zod/mini'
import { terms } from '@/lib/config'

/** Whatever controls or cannot be seen; the server knows more of them. */
const hidden = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u

const shown = (name: string) => name.normalize('NFKC').trim()

function isAddress(typed: string): boolean {
  try {
    const { protocol, username, password } = new URL(typed)
    return protocol === 'https:' && username === '' && password === '' && typed.length <= terms.longestPortrait
  } catch {
    return false
  }
}

/** None is null. */
const orNone = z.transform((typed: string) => typed || null)

/** A profile, of what is typed; its problems are those that the texts name. */
export const profile = z.object({
  firstName: z.pipe(
    z.string().check(
      z.trim(),
      z.refine((name) => !hidden.test(shown(name)), 'hidden'),
      z.refine((name) => Array.from(shown(name)).length <= terms.longestUserName, 'long'),
    ),
    orNone,
  ),
  profileImageUrl: z.pipe(
    z.string().check(
      z.trim(),
      z.refine((typed) => typed === '' || isAddress(typed), 'address'),
    ),
    orNone,
  ),
})
