import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Deposit } from '@/contract/types'
import { dollars, fixed } from '@/lib/format'
import { Facts } from '@/components/ui/facts'
import { walletTexts } from '../texts'

interface AlertProps {
  title: string
  children?: ReactNode
}

export function Alert({ title, children }: AlertProps) {
  return (
    <div role="alert" className="flex gap-3 rounded-xl border border-destructive bg-background px-4 py-3.5 text-sm">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-destructive-text" />
      <div className="min-w-0 space-y-1">
        <p className="font-semibold">{title}</p>
        {children && <div className="break-words text-pretty text-muted-foreground">{children}</div>}
      </div>
    </div>
  )
}

/** The buttons of a step, the primary one last. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="mt-6 flex flex-wrap justify-end gap-3">{children}</div>
}

interface AmountDueProps {
  amountCents: number
  /** Undefined while it is being created. */
  deposit: Deposit | undefined
}

/** The amount in dollars, with an estimate in SOL. */
export function AmountDue({ amountCents, deposit }: AmountDueProps) {
  const t = walletTexts.useT().payment
  return (
    <div className="rounded-xl border bg-background px-4 py-3.5">
      <Facts
        className="space-y-2"
        facts={[
          { label: t.total, value: dollars(amountCents), className: 'text-xl' },
          {
            label: t.inSol,
            value: deposit ? t.sol(deposit.solEstimate) : t.loadingPrice,
            className: deposit ? undefined : 'font-normal text-muted-foreground',
          },
        ]}
      />
      {deposit && (
        <p className="mt-2.5 border-t pt-2.5 text-xs text-pretty text-muted-foreground">
          {(deposit.priceIsFallback ? t.fallback : t.price)(`$${fixed(deposit.solPriceUsd, 2)}`)}
        </p>
      )}
    </div>
  )
}
