import type { FarPrice } from '@/contract/far-price'
import { config } from '@/lib/config'
import { dollars, number } from '@/lib/format'
import { useSession } from '@/lib/session'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { Spinner } from '@/components/ui/spinner'
import { marketTexts } from './texts'

/** A price that the server asks to confirm. */
export interface FarListingPrice extends FarPrice {
  priceCents: number
}

interface PriceWarningProps {
  act: 'list' | 'reprice'
  far: FarListingPrice
  pending: boolean
  onConfirm: () => void
  onBack: () => void
  /** Opens quick sell; undefined if the entry can't be sold there now. */
  onQuickSell?: (() => void) | undefined
}

/** Replaces the form to confirm a price far from the value, with quick sell as the alternative. */
export function PriceWarning({ act, far, pending, onConfirm, onBack, onQuickSell }: PriceWarningProps) {
  const { [act]: t, quickSell } = marketTexts.useT().selling.far
  const { walletMismatch } = useSession()
  const { priceCents, valueCents, houseCents } = far
  const sellsBack = config.rules.sellBack && houseCents > 0
  const [price, value, house] = [dollars(priceCents), dollars(valueCents), dollars(houseCents)]
  const question =
    priceCents < houseCents ? t.below(price, house) : t.above(price, number(Math.floor(priceCents / valueCents)), value)
  return (
    <>
      <Notice>{question}</Notice>
      <div className="grid grid-cols-2 gap-3">
        {sellsBack && onQuickSell && (
          <Button className="col-span-full" disabled={walletMismatch || pending} onClick={onQuickSell}>
            {quickSell(house)}
          </Button>
        )}
        <Button variant="secondary" onClick={onBack}>
          {t.back}
        </Button>
        <Button variant="secondary" disabled={walletMismatch || pending} onClick={onConfirm}>
          {pending && <Spinner />}
          <span>{t.confirm(price)}</span>
        </Button>
      </div>
    </>
  )
}
