import { useQuery } from '@tanstack/react-query'
import { logKeyQuery, replacedKeysQuery } from '@/api/log'

/** The published log key. If one of the notes isn't signed with it, also the proofs that earlier keys led to it. */
export function useLogKeys(...notes: readonly string[]) {
  const published = useQuery(logKeyQuery)
  const name = published.data?.split('+', 1)[0]
  const signedWithOther = name !== undefined && !notes.every((note) => note.includes(`\n— ${name} `))
  const replaced = useQuery({ ...replacedKeysQuery, enabled: signedWithOther })
  return { published: published.data, replaced: replaced.data, isLoading: published.isLoading || replaced.isLoading }
}
