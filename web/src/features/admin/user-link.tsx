import { Link } from '@tanstack/react-router'
import { shortAddress } from '@/lib/format'

interface UserLinkProps {
  id: string
  walletAddress: string
  /** Shown instead of the address. */
  name?: string
}

/** Links to a user's admin page. */
export function UserLink({ id, walletAddress, name }: UserLinkProps) {
  return (
    <Link
      to="/admin/users/$userId"
      params={{ userId: id }}
      title={walletAddress}
      className="rounded-sm text-gold-text underline underline-offset-4"
    >
      {name || shortAddress(walletAddress, 6, 4)}
    </Link>
  )
}
