import { Link } from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import { useEffect, useId, useRef } from 'react'
import { useInvalidate } from '@/api/invalidations'
import { useDepositStatus } from '@/api/deposits'
import { useCheckFacts } from '@/components/deposit/check-facts'
import { DepositTimeline } from '@/components/deposit/deposit-timeline'
import { DepositState, useDepositMeaning } from '@/components/deposit/deposit-state'
import { Signature } from '@/components/deposit/signature'
import { depositsTexts } from '@/components/deposit/texts'
import { Points } from '@/components/points'
import { useLanguage } from '@/i18n'
import type { DepositLife } from '@/contract/types'
import { dateTime, dollars } from '@/lib/format'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { Copyable } from '@/components/ui/copyable'
import { type Fact, Facts } from '@/components/ui/facts'
import { Loaded } from '@/components/ui/loaded'
import { Skeleton } from '@/components/ui/skeleton'
import { walletTexts } from './texts'

/** A deposit with its history, refetched until it ends. */
export function DepositDetails({ id }: { id: string }) {
  const t = walletTexts.useT().topup.deposit
  return (
    <Loaded
      query={useDepositStatus(id)}
      failed={t.failed}
      skeleton={<Skeleton className="h-96 rounded-2xl" />}
      unknown={
        <EmptyState
          icon={<SearchX />}
          title={t.unknown}
          text={t.unknownText}
          action={
            <Button asChild>
              <Link to="/topup">{t.all}</Link>
            </Button>
          }
          className="panel rounded-2xl"
        />
      }
    >
      {(deposit) => <DepositPanels deposit={deposit} />}
    </Loaded>
  )
}

function DepositPanels({ deposit }: { deposit: DepositLife }) {
  const t = depositsTexts.useT()
  const meaning = useDepositMeaning(deposit)
  const id = useId()
  const { state } = deposit
  const lastState = useRef(state)
  const refresh = useInvalidate('settle')
  useEffect(() => {
    if (lastState.current !== state) void refresh()
    lastState.current = state
  })
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <section className="panel rounded-2xl p-6">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <Points cents={deposit.amountCents} className="text-3xl tracking-tight" />
          <DepositState of={deposit} />
        </div>
        <p role="status" className="mt-3 text-sm text-pretty text-muted-foreground">
          {meaning}
        </p>
        <Facts facts={useFacts(deposit)} className="mt-5 divide-y divide-line border-t *:py-3" />
      </section>
      <section aria-labelledby={id} className="panel rounded-2xl p-6">
        <h2 id={id} className="font-semibold">
          {t.history}
        </h2>
        <DepositTimeline events={deposit.events} />
      </section>
    </div>
  )
}

function useFacts(deposit: DepositLife): Fact[] {
  const t = walletTexts.useT().topup.deposit
  const words = depositsTexts.useT()
  const checks = useCheckFacts(deposit)
  const { amountCents, creditedCents, solEstimate, provider, state, transactionId, createdAt, expiresAt, depositId } =
    deposit
  const language = useLanguage()
  return [
    { label: t.amount, value: dollars(amountCents) },
    ...(creditedCents !== undefined && creditedCents < amountCents
      ? [{ label: t.credited, value: <Points cents={creditedCents} /> }]
      : []),
    { label: t.estimate, value: `${solEstimate} SOL` },
    { label: t.provider, value: t.providers[provider] },
    { label: t.startedAt, value: <time dateTime={createdAt}>{dateTime(createdAt, language)}</time> },
    ...(state === 'quoted' ? [{ label: t.payUntil, value: dateTime(expiresAt, language) }] : []),
    ...(transactionId ? [{ label: words.transaction, value: <Signature of={transactionId} /> }] : []),
    ...checks,
    { label: t.id, value: <Copyable text={depositId} words={words} label={t.id} /> },
  ]
}
