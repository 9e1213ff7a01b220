import { dollars } from '@/lib/format'
import { useSession } from '@/lib/session'
import { Button } from '@/components/ui/button'
import { HandCoinsIcon } from '@/components/ui/card-icons'
import type { Sellable } from './sellable'
import { sellbackTexts } from './texts'

interface QuickSellButtonProps {
  item: Sellable
  onSell: (items: readonly Sellable[]) => void
}

/** Opens the quick sell dialog for one entry. */
export function QuickSellButton({ item, onSell }: QuickSellButtonProps) {
  const t = sellbackTexts.useT()
  const { walletMismatch } = useSession()
  const payout = dollars(item.sellBackCents)
  return (
    <div className="@container">
      <Button
        variant="secondary"
        size="sm"
        aria-label={t.quickSellItem(payout, item.name)}
        disabled={walletMismatch}
        onClick={() => onSell([item])}
        className="h-auto min-h-8 w-full gap-1.5 px-2 py-1 leading-tight whitespace-normal"
      >
        <HandCoinsIcon aria-hidden className="hidden @[9.5rem]:block" />
        <span>{t.quickSell(payout)}</span>
      </Button>
    </div>
  )
}

/** Replaces the button after the sale. */
export function SoldMark({ payoutCents }: { payoutCents: number }) {
  const t = sellbackTexts.useT()
  return (
    <p className="flex h-8 items-center justify-center gap-2 text-[0.8125rem] font-medium text-positive-text">
      <HandCoinsIcon aria-hidden className="size-4" />
      <span>{t.soldFor(dollars(payoutCents))}</span>
    </p>
  )
}
