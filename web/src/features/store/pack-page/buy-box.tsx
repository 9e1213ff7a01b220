import { Link } from '@tanstack/react-router'
import { Wallet } from 'lucide-react'
import { useState } from 'react'
import { useOnBreak } from '@/api/limits'
import { useT } from '@/i18n'
import { storeTexts } from '../texts'
import type { PackDetail } from '@/contract/types'
import { cn } from '@/lib/cn'
import { dollars, number, points, shortDigits } from '@/lib/format'
import { config } from '@/lib/config'
import { useSkipsIntro } from '@/lib/fast-mode'
import type { Quantity } from '@/lib/quantity'
import { useSession } from '@/lib/session'
import { spendOnce } from '@/lib/spend-once'
import { Button } from '@/components/ui/button'
import { InlineError } from '@/components/ui/inline-error'
import { Coin, Points, PointWorth, PriceTag } from '@/components/points'
import { QuantityChoice, useAvailableQuantity } from '@/components/quantity/quantity-choice'
import { Spinner } from '@/components/ui/spinner'
import { type BuyState, buyState } from '../buy-state'
import { soldOutClass } from '../sold-out-class'
import { topUpAmount, useTopUp } from '@/components/use-top-up'

interface BuyBoxProps {
  pack: PackDetail
  /** Undefined while loading and when signed out. */
  balanceCents: number | 'failed' | undefined
  /** Refetches the balance. */
  onRetry: () => void
  opening: boolean
  onOpen: (quantity: Quantity) => void
  onDemo: () => void
}

/** Price, balance and the buy button. Sticky on low screens. */
export function BuyBox({ pack, balanceCents, onRetry, opening, onOpen, onDemo }: BuyBoxProps) {
  const { pack: t, quantity: texts } = storeTexts.useT()
  const session = useSession()
  const state = buyState(pack, session, balanceCents, opening, useOnBreak())
  const known = typeof balanceCents === 'number' ? balanceCents : undefined
  const [wanted, setWanted] = useState<Quantity>(1)
  const quantity = useAvailableQuantity(pack, known, wanted)
  return (
    <section
      aria-label={t.price}
      className="sticky bottom-0 z-10 -mx-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-t-2xl bg-background px-4 py-4"
    >
      <div className="flex flex-wrap items-end gap-x-8 gap-y-2">
        <div>
          <p className="flex gap-1.5 text-xs text-muted-foreground">
            <span>{t.price}</span>
            <PointWorth />
          </p>
          <p className="flex items-center gap-2 text-[1.75rem] leading-9 font-semibold tabular-nums">
            <Coin />
            <PriceTag cents={pack.priceCents} />
          </p>
        </div>
        {typeof balanceCents === 'number' && (
          <div>
            <p className="text-xs text-muted-foreground">{t.balance}</p>
            <Points cents={balanceCents} digits={0} className="leading-9" />
          </div>
        )}
        {(state.kind === 'ready' || state.kind === 'opening') && (
          <QuantityChoice texts={texts} pack={pack} balanceCents={known} value={quantity} onChange={setWanted} />
        )}
      </div>
      <div className="flex min-w-56 grow gap-3 [&>:last-child]:flex-1">
        <Button size="lg" variant="secondary" onClick={onDemo}>
          {t.demoRip}
        </Button>
        {state.kind === 'connect' ? (
          <Button size="lg" className="w-full" onClick={session.connect}>
            <Wallet aria-hidden />
            <span>{t.connectWallet}</span>
          </Button>
        ) : (
          <OpenButton pack={pack} state={state} quantity={quantity} onOpen={() => onOpen(quantity)} />
        )}
      </div>
      <Hint state={state} onRetry={onRetry} />
    </section>
  )
}

/** The page where the user can resolve the reason. */
const links: Partial<Record<BuyState['kind'], '/rules' | '/limits'>> = {
  'over-price-limit': '/rules',
  'on-break': '/limits',
}

/** The id of the hint that says why the pack can't be opened. */
const hintId = 'buy-hint'

interface OpenButtonProps extends Pick<BuyBoxProps, 'pack'> {
  state: BuyState
  quantity: Quantity
  onOpen: () => void
}

/** Opens the packs, or does what it takes first: top up, or sign in with the wallet's other account. */
function OpenButton({ pack, state, quantity, onOpen }: OpenButtonProps) {
  const { topUp, pending } = useTopUp(pack.id)
  const { text, onPress } = useNextStep(state, quantity, onOpen, topUp)
  const busy = pending || state.kind === 'opening'
  // Without the intro, this press spends points.
  const namesPrice = useSkipsIntro() || quantity > 1
  const totalCents = quantity * pack.priceCents
  const soldOut = state.kind === 'sold-out'
  return (
    <Button
      size="lg"
      variant={onPress || busy || state.kind === 'loading' ? 'primary' : 'secondary'}
      className={cn('w-full aria-disabled:opacity-50', soldOut && soldOutClass)}
      disabled={!onPress}
      aria-disabled={pending}
      aria-describedby={hintId}
      {...spendOnce(() => onPress?.())}
    >
      {busy && <Spinner />}
      <span>{text}</span>
      {namesPrice && state.kind === 'ready' && <Points cents={totalCents} digits={shortDigits(totalCents)} />}
    </Button>
  )
}

/** What the button says and does; without `onPress` it is disabled. */
function useNextStep(
  state: BuyState,
  quantity: Quantity,
  onOpen: () => void,
  topUp: (missingCents: number) => void,
): { text: string; onPress?: () => void } {
  const { catalogue, shell } = useT()
  const { openPack, openPacks } = storeTexts.useT().pack
  const { connect } = useSession()
  switch (state.kind) {
    case 'ready':
      return { text: quantity === 1 ? openPack : openPacks(quantity), onPress: onOpen }
    case 'insufficient-balance':
      return {
        text: catalogue.store.topUp(number(topUpAmount(state.missingCents))),
        onPress: () => topUp(state.missingCents),
      }
    case 'walletMismatch':
      return { text: shell.user.signIn, onPress: connect }
    case 'opening':
      return { text: catalogue.store.opening }
    case 'sold-out':
      return { text: catalogue.store.soldOut }
    default:
      return { text: openPack }
  }
}

function Hint({ state, onRetry }: { state: BuyState; onRetry: () => void }) {
  const { nav, rules, user } = useT().shell
  const text = useHintText(state)
  if (state.kind === 'unknown-balance') {
    return (
      <div id={hintId} className="flex w-full justify-end">
        <InlineError text={user.balanceFailed} retry={onRetry} />
      </div>
    )
  }
  const href = links[state.kind]
  return (
    <p id={hintId} className="w-full text-right text-sm text-muted-foreground empty:hidden">
      {text && <span>{text}</span>}
      {href && (
        <>
          {' '}
          <Link to={href} className="font-medium text-gold-text underline underline-offset-4">
            {{ '/rules': rules, '/limits': nav.limits }[href]}
          </Link>
        </>
      )}
    </p>
  )
}

function useHintText(state: BuyState): string | null {
  const t = storeTexts.useT().pack
  switch (state.kind) {
    case 'insufficient-balance':
      return config.sandbox ? t.testPoints : t.notEnough(points(state.missingCents))
    case 'walletMismatch':
      return t.walletMismatch
    case 'on-break':
      return t.onBreak
    case 'inactive':
      return t.inactive
    case 'over-price-limit':
      return t.tooDear(dollars(state.limitCents))
    default:
      return null
  }
}
