import { config } from '@/lib/config'
import type { Pack } from '@/contract/types'
import type { Session } from '@/lib/session'

/** Whether the user can buy the pack, or the reason they can't. */
export type BuyState =
  | { kind: 'loading' }
  | { kind: 'unknown-balance' }
  | { kind: 'connect' }
  | { kind: 'walletMismatch' }
  | { kind: 'sold-out' }
  | { kind: 'inactive' }
  | { kind: 'over-price-limit'; limitCents: number }
  | { kind: 'opening' }
  | { kind: 'on-break' }
  | { kind: 'insufficient-balance'; missingCents: number }
  | { kind: 'ready' }

type Offer = Pick<Pack, 'priceCents' | 'soldOut' | 'isActive'>

/** Packs left to open; undefined if supply is unlimited. */
export function packsLeft(pack: Pick<Pack, 'supply' | 'sold'>): number | undefined {
  return pack.supply < 0 ? undefined : Math.max(pack.supply - (pack.sold ?? 0), 0)
}

/** Whether the pack costs more than the house rules allow. */
export function isOverPriceLimit({ priceCents }: Pick<Pack, 'priceCents'>): boolean {
  const { highestPackCents } = config.rules
  return highestPackCents > 0 && priceCents > highestPackCents
}

/** Checks the pack before the user, so that nobody connects a wallet for a sold-out pack. */
export function buyState(
  pack: Offer,
  session: Pick<Session, 'status' | 'walletMismatch'>,
  balanceCents: number | 'failed' | undefined,
  opening: boolean,
  onBreak: boolean,
): BuyState {
  if (opening) return { kind: 'opening' }
  if (pack.soldOut) return { kind: 'sold-out' }
  if (!pack.isActive) return { kind: 'inactive' }
  if (isOverPriceLimit(pack)) return { kind: 'over-price-limit', limitCents: config.rules.highestPackCents }
  if (session.status === 'loading') return { kind: 'loading' }
  if (session.status === 'signed-out') return { kind: 'connect' }
  if (session.walletMismatch) return { kind: 'walletMismatch' }
  if (onBreak) return { kind: 'on-break' }
  if (balanceCents === undefined) return { kind: 'loading' }
  if (balanceCents === 'failed') return { kind: 'unknown-balance' }
  if (balanceCents < pack.priceCents) {
    return { kind: 'insufficient-balance', missingCents: pack.priceCents - balanceCents }
  }
  return { kind: 'ready' }
}
