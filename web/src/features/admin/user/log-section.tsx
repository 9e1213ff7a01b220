import LogPanel from '../log/log-panel'
import type { SectionProps } from './section-props'

/** The admin log about a user. */
export default function LogSection({ user }: SectionProps) {
  return <LogPanel user={user.id} />
}
