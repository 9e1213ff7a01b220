import { HandleLink } from '@/components/handle-link'
import type { Activity } from '@/contract/types'
import { leaderboardTexts } from './texts'

/** Who pulled something, with a dot before what follows: their @handle, their name, or a word for users without one. */
export function Who({ user: { firstName, handle } }: { user: Activity['user'] }) {
  const { anonymous } = leaderboardTexts.useT()
  if (!handle) return <span>{`${firstName || anonymous} · `}</span>
  return (
    <>
      <HandleLink handle={handle} />
      <span>{' · '}</span>
    </>
  )
}
