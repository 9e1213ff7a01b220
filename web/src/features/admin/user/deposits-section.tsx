import { DepositList } from '../deposits-panel'
import type { SectionProps } from './section-props'

/** A user's deposits, with the decisions that an admin can make. */
export default function DepositsSection({ user, id, onShowAll }: SectionProps) {
  return <DepositList scope={{ user: user.id, id }} onShowAll={onShowAll} />
}
