import { useInfiniteQuery } from '@tanstack/react-query'
import { Wallet } from 'lucide-react'
import { lazy, useState } from 'react'
import { adminDepositsQuery, depositsCsvUrl } from '@/api/admin-deposits'
import { useCheckFacts } from '@/components/deposit/check-facts'
import { DepositState } from '@/components/deposit/deposit-state'
import { Signature } from '@/components/deposit/signature'
import { depositsTexts } from '@/components/deposit/texts'
import { useLanguage } from '@/i18n'
import type { AdminDeposit } from '@/contract/types'
import { dateTime, dollars } from '@/lib/format'
import { Button } from '@/components/ui/button'
import { DialogSlot } from '@/components/ui/dialog-slot'
import { clearIfCurrent } from '@/components/ui/dialog'
import { Copyable } from '@/components/ui/copyable'
import { type Fact, Facts } from '@/components/ui/facts'
import { AdminList } from './admin-list'
import { decisionsFor } from './deposit-decisions'
import { Orphans } from './orphans'
import { anyTime, periodOf } from './period-filter'
import type { Scope } from './scope'
import { adminTexts } from './texts'
import { cryptoAmount } from './crypto-amount'
import { UserLink } from './user-link'

const ResolveDialog = lazy(() => import('./resolve-dialog'))

const depositStates = [
  'review',
  'credited',
  'pending',
  'verified',
  'quoted',
  'expired',
  'rejected',
  'refunded',
] as const

/** All deposits by status, those under review first, and payments without a deposit. */
export default function DepositsPanel() {
  return (
    <div className="space-y-8">
      <DepositList initialState="review" />
      <Orphans />
    </div>
  )
}

interface DepositListProps {
  initialState?: AdminDeposit['state']
  scope?: Scope
  onShowAll?: (() => void) | undefined
}

export function DepositList({ initialState, scope = {}, onShowAll }: DepositListProps) {
  const t = adminTexts.useT().deposits
  const { list } = adminTexts.useT()
  const { states } = depositsTexts.useT()
  const [state, setState] = useState<AdminDeposit['state'] | ''>(initialState ?? '')
  const [days, setDays] = useState(anyTime)
  const [resolving, setResolving] = useState<AdminDeposit>()
  const filter = { ...scope, ...periodOf(days), state: state || undefined }
  return (
    <>
      <AdminList
        list={useInfiniteQuery(adminDepositsQuery(filter))}
        label={state ? states[state] : t.list}
        failed={t.failed}
        filter={{
          label: list.status,
          value: state,
          options: [['', list.all], ...depositStates.map((option) => [option, states[option]] as const)],
          onChange: setState,
        }}
        period={{ value: days, onChange: setDays }}
        onShowAll={onShowAll}
        csv={{ url: depositsCsvUrl(filter), label: t.csv }}
        empty={{ icon: <Wallet />, title: t.none, text: t.noneText }}
        entryHeight="h-40"
        skeletonCount={3}
        idOf={({ depositId }) => depositId}
      >
        {(deposit) => <DepositCard deposit={deposit} onResolve={() => setResolving(deposit)} />}
      </AdminList>
      <DialogSlot open={resolving !== undefined} onClose={() => setResolving(undefined)}>
        {resolving && <ResolveDialog deposit={resolving} onClose={() => setResolving(clearIfCurrent(resolving))} />}
      </DialogSlot>
    </>
  )
}

function DepositCard({ deposit, onResolve }: { deposit: AdminDeposit; onResolve: () => void }) {
  const t = adminTexts.useT().deposits
  const amount = dollars(deposit.amountCents)
  return (
    <article className="panel rounded-2xl p-5">
      <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h3 className="text-lg font-semibold tabular-nums">{amount}</h3>
        <DepositState of={deposit} />
        {decisionsFor(deposit.state).length > 0 && (
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
      <Facts layout="cells" facts={useFacts(deposit)} className="mt-4" />
    </article>
  )
}

function useFacts(deposit: AdminDeposit): Fact[] {
  const {
    deposits: t,
    user: { copy },
  } = adminTexts.useT()
  const { reasons } = depositsTexts.useT()
  const checks = useCheckFacts(deposit)
  const language = useLanguage()
  const {
    depositId,
    userId,
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
    checkError,
  } = deposit
  const reason = events.at(-1)?.reason
  return [
    { label: t.wallet, value: <UserLink id={userId} walletAddress={walletAddress} /> },
    { label: t.requested, value: <time dateTime={createdAt}>{dateTime(createdAt, language)}</time> },
    ...(units === undefined ? [] : [{ label: t.received, value: cryptoAmount(units, currency) }]),
    ...(overUnits === undefined ? [] : [{ label: t.over, value: cryptoAmount(overUnits, currency) }]),
    ...(arrivedCents === undefined ? [] : [{ label: t.arrived, value: dollars(arrivedCents) }]),
    ...(creditedCents === undefined ? [] : [{ label: t.credited, value: dollars(creditedCents) }]),
    ...(transactionId ? [{ label: t.transaction, value: <Signature of={transactionId} /> }] : []),
    ...checks,
    ...(checkError ? [{ label: t.checkError, value: checkError, wide: true, className: 'break-words' }] : []),
    ...(paymentId
      ? [{ label: t.payment, value: <Copyable text={paymentId} words={copy} label={t.payment} />, wide: true }]
      : []),
    { label: t.deposit, value: <Copyable text={depositId} words={copy} label={t.deposit} />, wide: true },
    ...(reason ? [{ label: t.why, value: reasons[reason] ?? reason, wide: true, className: 'break-words' }] : []),
  ]
}
