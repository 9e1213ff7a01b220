import { config } from '@/lib/config'
import type { Pack } from '@/contract/types'
import type { Session } from '@/lib/session'

/** What stands between the visitor and this pack. */
export type BuyState =
  | { kind: 'loading' }
  | { kind: 'unknown-balance' }
  | { kind: 'connect' }
  | { kind: 'frozen' }
  | { kind: 'sold-out' }
  | { kind: 'inactive' }
  | { kind: 'too-dear'; mostCents: number }
  | { kind: 'opening' }
  | { kind: 'stopped' }
  | { kind: 'poor'; missingCents: number }
  | { kind: 'ready' }

type Offer = Pick<Pack, 'priceCents' | 'soldOut' | 'isActive'>

/** How many can still be opened; undefined where the supply is unlimited. */
export function packsLeft(pack: Pick<Pack, 'supply' | 'sold'>): number | undefined {
  return pack.supply < 0 ? undefined : Math.max(pack.supply - (pack.sold ?? 0), 0)
}

/** Whether it costs more than the house's rules let a pack cost: nobody may open it here. */
export function isTooDear({ priceCents }: Pick<Pack, 'priceCents'>): boolean {
  const { highestPackCents } = config.rules
  return highestPackCents > 0 && priceCents > highestPackCents
}

/** The pack's own state comes before the visitor's: nobody should connect a wallet for a sold-out pack. */
export function buyState(
  pack: Offer,
  session: Pick<Session, 'status' | 'frozen'>,
  balanceCents: number | 'failed' | undefined,
  opening: boolean,
  stopped: boolean,
): BuyState {
  if (opening) return { kind: 'opening' }
  if (pack.soldOut) return { kind: 'sold-out' }
  if (!pack.isActive) return { kind: 'inactive' }
  if (isTooDear(pack)) return { kind: 'too-dear', mostCents: config.rules.highestPackCents }
  if (session.status === 'loading') return { kind: 'loading' }
  if (session.status === 'signed-out') return { kind: 'connect' }
  if (session.frozen) return { kind: 'frozen' }
  if (stopped) return { kind: 'stopped' }
  if (balanceCents === undefined) return { kind: 'loading' }
  if (balanceCents === 'failed') return { kind: 'unknown-balance' }
  if (balanceCents < pack.priceCents) {
    return { kind: 'poor', missingCents: pack.priceCents - balanceCents }
  }
  return { kind: 'ready' }
}
