import type { User } from '@/contract/types'
import { shortAddress } from '@/lib/format'

/** The first name, else the address as 6 + 4 characters, else a plain word; below it the address as 4 + 4. */
export function userLines(
  user: Pick<User, 'firstName' | 'walletAddress'> | null,
  connectedAddress: string | null,
  fallback: string,
): { name: string; secondary: string } {
  const address = connectedAddress ?? user?.walletAddress ?? ''
  return {
    name: user?.firstName || (address ? shortAddress(address, 6, 4) : fallback),
    secondary: shortAddress(address, 4, 4),
  }
}
