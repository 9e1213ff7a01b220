import type { ComponentProps } from 'react'
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

/**
 * Replaces the form to confirm a price far from the value. Far above it, the seller's own price stays the main choice;
 * below what Kaibao pays, that offer is.
 */
export function PriceWarning({ act, far, pending, onConfirm, onBack, onQuickSell }: PriceWarningProps) {
  const { [act]: t, quickSell } = marketTexts.useT().selling.far
  const { walletMismatch } = useSession()
  const { priceCents, valueCents, houseCents } = far
  const sellsBack = config.rules.sellBack && houseCents > 0
  const [price, value, house] = [dollars(priceCents), dollars(valueCents), dollars(houseCents)]
  const below = priceCents < houseCents
  const question = below ? t.below(price, house) : t.above(price, number(Math.floor(priceCents / valueCents)), value)
  const own: Choice = { text: t.confirm(price), pending, onPress: onConfirm }
  const toKaibao: Choice | undefined =
    sellsBack && onQuickSell ? { text: quickSell(house), pending: false, onPress: onQuickSell } : undefined
  const [main, other] = below ? [toKaibao, own] : [own, toKaibao]
  const disabled = walletMismatch || pending
  return (
    <>
      <Notice>{question}</Notice>
      <div className="grid grid-cols-2 gap-3">
        {main && <ChoiceButton choice={main} disabled={disabled} className="col-span-full" />}
        <Button variant="secondary" className={other ? '' : 'col-span-full'} onClick={onBack}>
          {t.back}
        </Button>
        {other && <ChoiceButton variant="secondary" choice={other} disabled={disabled} />}
      </div>
    </>
  )
}

interface Choice {
  text: string
  pending: boolean
  onPress: () => void
}

interface ChoiceButtonProps extends Pick<ComponentProps<typeof Button>, 'variant' | 'disabled' | 'className'> {
  choice: Choice
}

function ChoiceButton({ choice: { text, pending, onPress }, ...rest }: ChoiceButtonProps) {
  return (
    <Button onClick={onPress} {...rest}>
      {pending && <Spinner />}
      <span>{text}</span>
    </Button>
  )
}
