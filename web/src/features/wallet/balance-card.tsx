import { useWallet } from '@/api/wallet'
import { useT } from '@/i18n'
import { walletTexts } from './texts'
import { points } from '@/lib/format'
import { Loaded } from '@/components/ui/loaded'
import { Coin } from '@/components/points'
import { Skeleton } from '@/components/ui/skeleton'

export function BalanceCard({ label }: { label: string }) {
  const t = useT()
  const { failed } = walletTexts.useT().balance
  const wallet = useWallet()
  return (
    <section aria-label={label} className="panel relative overflow-hidden rounded-2xl p-6">
      <div
        aria-hidden
        className="absolute inset-0 bg-[radial-gradient(ellipse_60%_80%_at_100%_0%,color-mix(in_oklab,var(--gold)_14%,transparent),transparent)]"
      />
      <p className="relative text-sm text-muted-foreground">{label}</p>
      <Loaded
        query={wallet}
        failed={failed}
        inlineErrorClass="relative mt-2"
        skeleton={<Skeleton className="mt-2 h-11 w-48" />}
      >
        {({ balanceCents }) => (
          <p className="relative mt-1 flex items-center gap-3 text-[2.5rem] leading-tight font-semibold tracking-tight tabular-nums">
            <Coin className="size-8" />
            <span>{points(balanceCents)}</span>
            <span className="sr-only">{t.shell.playPoints}</span>
          </p>
        )}
      </Loaded>
    </section>
  )
}
