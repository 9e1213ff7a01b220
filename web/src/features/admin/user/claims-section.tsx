import { ClaimList } from '../claims-panel'
import type { SectionProps } from './section-props'

/** A user's shipments, with the steps that an admin can take. */
export default function ClaimsSection({ user, id, onShowAll }: SectionProps) {
  return <ClaimList scope={{ user: user.id, id }} onShowAll={onShowAll} />
}
