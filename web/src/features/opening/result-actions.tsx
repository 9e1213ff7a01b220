import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Copy, LayoutGrid, PackageOpen, Printer, Share2, ShieldCheck } from 'lucide-react'
import { useOpeningT } from './texts'
import { usePackName } from '@/i18n/names'
import type { Opening } from '@/contract/types'
import { points } from '@/lib/format'
import { toast } from '@/lib/toast'
import { Button } from '@/components/ui/button'
import { copyText, shareText } from '@/lib/share'
import { resultsText } from './results-text'

interface ResultActionsProps {
  opening: Opening
  balanceCents: number | undefined
  /** Further actions for all items. */
  more: ReactNode
  /** Whether all items are still in the collection. */
  whole: boolean
  verify: () => void
  again: () => void
  close: () => void
}

export function ResultActions({ opening, balanceCents, more, whole, verify, again, close }: ResultActionsProps) {
  const t = useOpeningT().opening.results
  const actions = useResultActions(opening)
  const missingCents = balanceCents === undefined ? 0 : Math.max(0, opening.priceCents - balanceCents)
  return (
    <div className="mt-8 space-y-3 print:hidden">
      <div className="flex flex-wrap gap-2.5">
        <Button asChild size="lg">
          <Link to="/my-collection" onClick={close}>
            <LayoutGrid aria-hidden />
            <span>{t.collection}</span>
          </Link>
        </Button>
        <Button variant="secondary" size="lg" disabled={missingCents > 0} onClick={again}>
          <PackageOpen aria-hidden />
          <span>{t.another}</span>
        </Button>
        {more}
      </div>
      {/* A row of its own, so that toasts don't cover the large buttons. */}
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <div className="-ml-2.5 flex flex-wrap gap-1 *:px-2.5">
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
          <Button variant="ghost" onClick={() => void actions.share()}>
            <Share2 aria-hidden />
            <span>{t.share}</span>
          </Button>
          <Button variant="ghost" onClick={() => window.print()}>
            <Printer aria-hidden />
            <span>{t.print}</span>
          </Button>
        </div>
        <p className="text-[0.8125rem] text-muted-foreground">
          {missingCents > 0 ? t.notEnough(points(missingCents)) : whole && t.kept}
        </p>
      </div>
    </div>
  )
}

function useResultActions(opening: Opening) {
  const t = useOpeningT()
  const packName = usePackName()
  const copy = () => copyText(resultsText(opening, t), t.opening.copy.done, t.opening.copy.failed)
  return {
    copy,
    async share() {
      const shared = await shareText(t.opening.copy.shareTitle(packName(opening)), resultsText(opening, t))
      if (!shared) await copy()
    },
    showSeeds() {
      const { toast: texts, results } = t.opening
      const server = opening.serverSeedRevealed || texts.later
      toast({ title: results.verify, description: texts.seeds(opening.clientSeed, server) })
    },
  }
}
