import * as z from 'zod/mini'
import { terms } from '@/lib/config'

/** Control and invisible characters. The server's check is stricter. */
const hiddenCharacters = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u

const displayed = (name: string) => name.normalize('NFKC').trim()

function isPictureUrl(typed: string): boolean {
  try {
    const { protocol, username, password } = new URL(typed)
    return protocol === 'https:' && username === '' && password === '' && typed.length <= terms.longestPortrait
  } catch {
    return false
  }
}

const emptyToNull = z.transform((typed: string) => typed || null)

/** Turns the form's text into a profile. Its messages are keys of the texts' `problems`. */
export const profileSchema = z.object({
  firstName: z.pipe(
    z.string().check(
      z.trim(),
      z.refine((name) => !hiddenCharacters.test(displayed(name)), 'hidden'),
      z.refine((name) => Array.from(displayed(name)).length <= terms.longestUserName, 'long'),
    ),
    emptyToNull,
  ),
  profileImageUrl: z.pipe(
    z.string().check(
      z.trim(),
      z.refine((typed) => typed === '' || isPictureUrl(typed), 'address'),
    ),
    emptyToNull,
  ),
})
