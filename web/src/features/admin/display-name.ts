import type { AdminUser } from '@/contract/types'
import { shortAddress } from '@/lib/format'

export const displayName = ({ firstName, walletAddress }: AdminUser) => firstName || shortAddress(walletAddress, 6, 4)
