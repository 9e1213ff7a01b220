import type { FarPrice as Why } from '@/contract/far-price'
import { config } from '@/lib/config'
import { dollars, number } from '@/lib/format'
import { useSession } from '@/lib/session'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { Spinner } from '@/components/ui/spinner'
import { marketTexts } from './texts'

/** A price that is asked about again, and why. */
export interface Far extends Why {
  priceCents: number
}

interface FarPriceProps {
  far: Far
  /** What the button says that means it. */
  confirm: string
  pending: boolean
  onConfirm: () => void
  onBack: () => void
  /** Sells it for what the house pays, or more; undefined where that cannot be done now. */
  onQuickSell?: (() => void) | undefined
}

/** In the place of the form: asks whether a price far from the value is meant, and offers to sell at once instead. */
export function FarPrice({ far, confirm, pending, onConfirm, onBack, onQuickSell }: FarPriceProps) {
  const t = marketTexts.useT().selling.far
  const { frozen } = useSession()
  const { priceCents, valueCents, houseCents } = far
  const sellsBack = config.rules.sellBack && houseCents > 0
  const [price, value, house] = [dollars(priceCents), dollars(valueCents), dollars(houseCents)]
  return (
    <>
      <Notice>
        {`${priceCents < houseCents ? t.below(price, house) : t.above(price, number(Math.floor(priceCents / valueCents)), value)} ${sellsBack && !onQuickSell ? t.delistFirst(house) : ''}`}
      </Notice>
      <div className="grid grid-cols-2 gap-3">
        {sellsBack && onQuickSell && (
          <Button className="col-span-full" disabled={frozen || pending} onClick={onQuickSell}>
            {t.quickSell(house)}
          </Button>
        )}
        <Button variant="secondary" onClick={onBack}>
          {t.back}
        </Button>
        <Button variant="secondary" disabled={frozen || pending} onClick={onConfirm}>
          {pending && <Spinner />}
          <span>{confirm}</span>
        </Button>
      </div>
    </>
  )
}
