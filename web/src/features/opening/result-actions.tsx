import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Coins, Copy, LayoutGrid, PackageOpen, Printer, Share2, ShieldCheck } from 'lucide-react'
import { useOpeningT } from './texts'
import { cn } from '@/lib/cn'
import { number, points, shortPoints } from '@/lib/format'
import { spendOnce } from '@/lib/spend-once'
import { toast } from '@/lib/toast'
import { Button } from '@/components/ui/button'
import { Spinner } from '@/components/ui/spinner'
import { topUpAmount, useTopUp } from '@/components/use-top-up'
import { ChoiceText, ChoiceTile, choiceTileClass } from '@/components/ui/choice-tile'
import { copyText } from '@/lib/share'
import type { Haul } from './haul'
import { resultsText } from './results-text'

interface ResultChoicesProps {
  haul: Haul
  balanceCents: number | undefined
  /** The button that sells, if something can be sold. */
  sell: ReactNode
  /** How many items stay in the collection. */
  keptCount: number
  /** Some items are selected for sale. */
  rest?: boolean
  fast: boolean
  again: () => void
  close: () => void
}

/** Sell, keep, or open again: three equal choices. */
export function ResultChoices({ haul, balanceCents, sell, keptCount, rest, fast, again, close }: ResultChoicesProps) {
  const t = useOpeningT().opening.results
  const { openings } = haul
  const [first] = openings
  const priceCents = first?.priceCents ?? 0
  const missingCents = balanceCents === undefined ? 0 : Math.max(0, priceCents - balanceCents)
  const price = shortPoints(priceCents)
  return (
    <div
      role="group"
      aria-label={t.choices}
      className="mt-6 grid auto-cols-fr grid-flow-col gap-2.5 print:hidden [footer_&]:mt-0"
    >
      {sell}
      <Button asChild variant="secondary" className={choiceTileClass}>
        <Link to="/my-collection" onClick={close}>
          <ChoiceText
            icon={<LayoutGrid aria-hidden />}
            title={keptCount === 0 ? t.collection : (rest ? t.keepRest : t.keep)(keptCount)}
            detail={keptCount === 0 ? '' : t.collection}
          />
        </Link>
      </Button>
      {first &&
        (missingCents > 0 ? (
          <TopUpTile packId={first.packId} missingCents={missingCents} />
        ) : (
          <ChoiceTile
            icon={<PackageOpen aria-hidden />}
            title={fast ? t.anotherFor(price) : t.another}
            detail={fast ? '' : t.anotherHelp(price)}
            {...spendOnce(again)}
          />
        ))}
    </div>
  )
}

/** In place of opening another pack: adds the points that are missing for it. */
function TopUpTile({ packId, missingCents }: { packId: string; missingCents: number }) {
  const t = useOpeningT()
  const { topUp, pending } = useTopUp(packId)
  return (
    <ChoiceTile
      icon={pending ? <Spinner /> : <Coins aria-hidden />}
      title={t.catalogue.store.topUp(number(topUpAmount(missingCents)))}
      detail={t.opening.results.notEnough(points(missingCents))}
      aria-disabled={pending}
      onClick={() => topUp(missingCents)}
    />
  )
}

interface MoreActionsProps {
  haul: Haul
  verify: () => void
  share: () => void
  className: string
}

export function MoreActions({ haul, verify, share, className }: MoreActionsProps) {
  const t = useOpeningT().opening.results
  const actions = useResultActions(haul)
  return (
    <div className={cn('flex flex-wrap gap-1 *:px-2.5 print:hidden', className)}>
      <Button
        variant="ghost"
        onClick={() => {
          actions.showSeeds()
          verify()
        }}
      >
        <ShieldCheck aria-hidden />
        <span>{t.verify}</span>
      </Button>
      <Button variant="ghost" onClick={() => void actions.copy()}>
        <Copy aria-hidden />
        <span>{t.copy}</span>
      </Button>
      <Button variant="ghost" onClick={share}>
        <Share2 aria-hidden />
        <span>{t.share}</span>
      </Button>
      <Button variant="ghost" onClick={() => window.print()}>
        <Printer aria-hidden />
        <span>{t.print}</span>
      </Button>
    </div>
  )
}

function useResultActions({ openings, totalValueCents }: Haul) {
  const t = useOpeningT()
  const text = () => resultsText({ items: openings.flatMap(({ items }) => items), totalValueCents }, t)
  const [first] = openings
  return {
    copy: () => copyText(text(), t.opening.copy.done, t.opening.copy.failed),
    showSeeds() {
      if (!first) return
      const { toast: texts, results } = t.opening
      const server = first.serverSeedRevealed || texts.later
      toast({ title: results.verify, description: texts.seeds(first.clientSeed, server) })
    },
  }
}
