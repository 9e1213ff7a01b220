import { useInfiniteQuery } from '@tanstack/react-query'
import { Wallet } from 'lucide-react'
import { lazy, useId, useState } from 'react'
import { adminDepositsQuery, depositsCsvUrl } from '@/api/admin-deposits'
import { DepositState } from '@/components/deposit/deposit-state'
import { Signature } from '@/components/deposit/signature'
import { depositsTexts } from '@/components/deposit/texts'
import { useLanguage } from '@/i18n'
import type { AdminDeposit } from '@/contract/types'
import { dateTime, dollars, shortAddress } from '@/lib/format'
import { Button } from '@/components/ui/button'
import { DialogSlot } from '@/components/ui/dialog-slot'
import { clearIfCurrent } from '@/components/ui/dialog'
import { EmptyState } from '@/components/ui/empty-state'
import { type Fact, Facts } from '@/components/ui/facts'
import { LoadedGrid } from '@/components/ui/loaded-grid'
import { Select } from '@/components/ui/select'
import { Skeleton } from '@/components/ui/skeleton'
import { decisionsOn } from './decisions'
import { FileLink } from './file-link'
import { Orphans } from './orphans'
import { adminTexts } from './texts'
import { unitsText } from './units'

const ResolveDialog = lazy(() => import('./resolve-dialog'))

const states = ['review', 'credited', 'pending', 'verified', 'quoted', 'expired', 'rejected', 'refunded'] as const

/** Everybody's deposits: those first that wait for a decision. */
export default function DepositsPanel() {
  const t = adminTexts.useT().deposits
  const words = depositsTexts.useT()
  const [state, setState] = useState<AdminDeposit['state']>('review')
  const [resolving, setResolving] = useState<AdminDeposit>()
  const list = useInfiniteQuery(adminDepositsQuery(state))
  const id = useId()
  return (
    <div className="space-y-8">
      <div className="space-y-4">
        <div className="flex items-center gap-3">
          <label htmlFor={id} className="text-sm text-muted-foreground">
            {t.shown}
          </label>
          <Select
            id={id}
            value={state}
            onChange={({ target }) => setState(states.find((one) => one === target.value) ?? 'review')}
            className="w-56"
          >
            {states.map((one) => (
              <option key={one} value={one}>
                {words.states[one]}
              </option>
            ))}
          </Select>
          <span className="ml-auto">
            <FileLink href={depositsCsvUrl(state)} label={t.csv} />
          </span>
        </div>
        <LoadedGrid
          list={list}
          label={words.states[state]}
          failed={t.failed}
          columns="grid-cols-1"
          gap={12}
          skeleton={<Skeleton className="h-40 rounded-2xl" />}
          places={3}
          idOf={({ depositId }) => depositId}
          empty={
            <EmptyState
              icon={<Wallet />}
              title={t.none}
              text={t.noneText}
              level={3}
              className="panel rounded-2xl py-10"
            />
          }
        >
          {(deposit) => <Card deposit={deposit} onResolve={() => setResolving(deposit)} />}
        </LoadedGrid>
      </div>
      <Orphans />
      <DialogSlot open={resolving !== undefined} onClose={() => setResolving(undefined)}>
        {resolving && <ResolveDialog deposit={resolving} onClose={() => setResolving(clearIfCurrent(resolving))} />}
      </DialogSlot>
    </div>
  )
}

function Card({ deposit, onResolve }: { deposit: AdminDeposit; onResolve: () => void }) {
  const t = adminTexts.useT().deposits
  const amount = dollars(deposit.amountCents)
  return (
    <article className="panel rounded-2xl p-5">
      <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h3 className="text-lg font-semibold tabular-nums">{amount}</h3>
        <DepositState of={deposit} />
        {decisionsOn(deposit.state).length > 0 && (
          <Button
            size="sm"
            variant="secondary"
            aria-label={t.resolveOf(amount)}
            onClick={onResolve}
            className="ml-auto"
          >
            {t.resolve}
          </Button>
        )}
      </header>
      <Facts look="cells" facts={useFacts(deposit)} className="mt-4" />
    </article>
  )
}

function useFacts(deposit: AdminDeposit): Fact[] {
  const t = adminTexts.useT().deposits
  const { reasons } = depositsTexts.useT()
  const language = useLanguage()
  const {
    walletAddress,
    createdAt,
    events,
    currency = '',
    units,
    overUnits,
    arrivedCents,
    creditedCents,
    paymentId,
    transactionId,
  } = deposit
  const reason = events.at(-1)?.reason
  return [
    { label: t.wallet, value: <span title={walletAddress}>{shortAddress(walletAddress, 6, 4)}</span> },
    { label: t.requested, value: <time dateTime={createdAt}>{dateTime(createdAt, language)}</time> },
    ...(units === undefined ? [] : [{ label: t.received, value: unitsText(units, currency) }]),
    ...(overUnits === undefined ? [] : [{ label: t.over, value: unitsText(overUnits, currency) }]),
    ...(arrivedCents === undefined ? [] : [{ label: t.arrived, value: dollars(arrivedCents) }]),
    ...(creditedCents === undefined ? [] : [{ label: t.credited, value: dollars(creditedCents) }]),
    ...(transactionId ? [{ label: t.transaction, value: <Signature of={transactionId} /> }] : []),
    ...(paymentId ? [{ label: t.payment, value: paymentId, className: 'truncate' }] : []),
    ...(reason ? [{ label: t.why, value: reasons[reason] ?? reason, wide: true, className: 'break-words' }] : []),
  ]
}
