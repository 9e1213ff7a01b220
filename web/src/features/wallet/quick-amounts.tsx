import { Coin } from '@/components/points'
import { walletTexts } from './texts'
import { cn } from '@/lib/cn'
import { terms } from '@/lib/config'

interface QuickAmountsProps {
  /** The text in the amount field. */
  chosen: string
  onChoose: (amount: string) => void
}

export function QuickAmounts({ chosen, onChoose }: QuickAmountsProps) {
  const t = walletTexts.useT().topup
  return (
    <fieldset className="mt-5 grid grid-cols-4 gap-3">
      <legend className="sr-only">{t.quick}</legend>
      {terms.quickDeposits.map((amount) => (
        <button
          key={amount}
          type="button"
          aria-pressed={chosen === String(amount)}
          onClick={() => onChoose(String(amount))}
          className={cn(
            'flex h-16 items-center justify-center gap-2 rounded-xl border bg-background text-lg font-semibold tabular-nums transition-colors hover:border-line-strong',
            'aria-pressed:border-gold aria-pressed:bg-gold/10',
          )}
        >
          <Coin />
          <span>{amount}</span>
        </button>
      ))}
    </fieldset>
  )
}
