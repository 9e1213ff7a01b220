import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Download, ReceiptText } from 'lucide-react'
import { type ReactNode, useId, useMemo, useState } from 'react'
import { usePendingOpenIds } from '@/api/opens'
import { transactionsCsvUrl, useBalanceHistory, useTransactionList } from '@/api/wallet'
import { useLanguage } from '@/i18n'
import { walletTexts } from './texts'
import { cn } from '@/lib/cn'
import type { Transaction } from '@/contract/types'
import { dateTime, number, points } from '@/lib/format'
import { Button } from '@/components/ui/button'
import { Chart } from '@/components/ui/chart'
import { EmptyState } from '@/components/ui/empty-state'
import { Facts } from '@/components/ui/facts'
import { Input } from '@/components/ui/input'
import { Loaded } from '@/components/ui/loaded'
import { LoadedGrid } from '@/components/ui/loaded-grid'
import { Select } from '@/components/ui/select'
import { Skeleton } from '@/components/ui/skeleton'
import { balanceSearch, lineKinds, type BalanceFilter } from './balance-search'
import { kindNames, kindOf } from './kinds'
import { lineFilterOf } from './balance-filter'
import { BalanceTiles } from './balance-tiles'

const path = '/balance'

/** The user's transactions with filters, and a chart of the balance. */
export function TransactionHistory() {
  const t = walletTexts.useT().balance
  // Not validated by the router, or the kinds would be part of every page's first load.
  const search = useSearch({ strict: false, select: balanceSearch })
  const filter = useMemo(() => lineFilterOf(search), [search])
  const lines = useTransactionList(filter)
  const filtered = Object.values(search).some(Boolean)
  return (
    <div className="space-y-6">
      <BalanceTiles />
      <BalanceOverTime {...filter} />
      <section aria-label={t.all} className="space-y-4">
        <FilterBar search={search} file={transactionsCsvUrl(filter)} />
        <LoadedGrid
          list={lines}
          label={t.all}
          failed={t.failed}
          columns="grid-cols-1"
          gap={10}
          skeleton={<Skeleton className="h-18 rounded-xl" />}
          idOf={({ id }) => id}
          empty={
            <EmptyState
              icon={<ReceiptText />}
              title={filtered ? t.noMatch : t.empty}
              text={filtered ? t.noMatchText : t.emptyText}
              action={
                filtered && (
                  <Button asChild variant="secondary">
                    <Link to={path}>{t.showAll}</Link>
                  </Button>
                )
              }
              className="panel rounded-2xl"
            />
          }
        >
          {(line) => <TransactionRow line={line} />}
        </LoadedGrid>
      </section>
    </div>
  )
}

/** Ignores the type filter, because every transaction changes the balance. */
function BalanceOverTime({ from, to }: { from?: string; to?: string }) {
  const t = walletTexts.useT().balance
  const id = useId()
  const history = useBalanceHistory({ ...(from && { from }), ...(to && { to }) })
  const { data } = history
  const [now] = useState(() => new Date().toISOString())
  const chartPoints = useMemo(() => {
    const values = (data ?? []).map(({ createdAt, balanceCents }) => ({ at: createdAt, value: balanceCents }))
    const [latest] = values
    // Unless the range ends earlier, the latest balance extends to now.
    return [...(latest && !to ? [{ ...latest, at: now }] : []), ...values].reverse()
  }, [data, to, now])
  const size = 'mt-4 h-64'
  return (
    <section aria-labelledby={id} className="panel rounded-2xl p-5">
      <h2 id={id} className="font-semibold">
        {t.overTime}
      </h2>
      <Loaded query={history} failed={t.failed} inlineErrorClass={size} skeleton={<Skeleton className={size} />}>
        {({ length }) =>
          length > 1 ? (
            <>
              <p className="mt-1 text-sm text-muted-foreground">{t.overTimeText(number(length))}</p>
              <Chart label={t.chart} points={chartPoints} format={points} className={size} />
            </>
          ) : (
            <p className="mt-3 text-sm text-muted-foreground">{t.tooFew}</p>
          )
        }
      </Loaded>
    </section>
  )
}

function FilterBar({ search, file }: { search: BalanceFilter; file: string }) {
  const t = walletTexts.useT().balance
  const navigate = useNavigate()
  const change = (part: BalanceFilter) =>
    void navigate({ to: path, search: { ...search, ...balanceSearch({ ...search, ...part }) }, resetScroll: false })
  return (
    <div className="flex flex-wrap items-end gap-4">
      <LabeledControl label={t.kind}>
        {(id) => (
          <Select
            id={id}
            value={search.kind ?? ''}
            onChange={({ target }) => change({ kind: lineKinds.find((kind) => kind === target.value) })}
            className="w-56"
          >
            <option value="">{t.everyKind}</option>
            {lineKinds.map((kind) => (
              <option key={kind} value={kind}>
                {t.kinds[kindNames[kind]]}
              </option>
            ))}
          </Select>
        )}
      </LabeledControl>
      <LabeledControl label={t.from}>
        {(id) => (
          <Input
            id={id}
            type="date"
            value={search.from ?? ''}
            onChange={({ target }) => change({ from: target.value })}
          />
        )}
      </LabeledControl>
      <LabeledControl label={t.to}>
        {(id) => (
          <Input id={id} type="date" value={search.to ?? ''} onChange={({ target }) => change({ to: target.value })} />
        )}
      </LabeledControl>
      <Button asChild variant="secondary" className="ml-auto h-11">
        <a href={file} download>
          <Download aria-hidden />
          <span>{t.csv}</span>
        </a>
      </Button>
    </div>
  )
}

function LabeledControl({ label, children }: { label: string; children: (id: string) => ReactNode }) {
  const id = useId()
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-xs text-muted-foreground">
        {label}
      </label>
      {children(id)}
    </div>
  )
}

function TransactionRow({ line }: { line: Transaction }) {
  const t = walletTexts.useT().balance
  const notDrawn = usePendingOpenIds().has(line.ref) && line.kind === 'open'
  const language = useLanguage()
  const { amountCents, balanceCents, createdAt, reason } = line
  const amount = (amountCents > 0 ? '+' : '−') + points(Math.abs(amountCents))
  return (
    <div className="panel flex flex-wrap items-center justify-between gap-x-6 gap-y-2 rounded-xl px-5 py-3.5">
      <div>
        <p className="font-medium">
          {notDrawn ? (
            <Link to="/my-opens" className="rounded-sm text-gold-text underline underline-offset-4">
              {t.notDrawn}
            </Link>
          ) : (
            <TransactionLink line={line}>{t.kinds[kindOf(line)]}</TransactionLink>
          )}
        </p>
        <time dateTime={createdAt} className="text-sm text-muted-foreground tabular-nums">
          {dateTime(createdAt, language)}
        </time>
        {reason && <p className="text-sm text-muted-foreground">{t.reason(reason)}</p>}
      </div>
      <Facts
        layout="stacks"
        className="ml-auto grid grid-cols-[6rem_6.5rem] text-right text-sm xl:grid-cols-[8rem_8rem]"
        facts={[
          { label: t.columns.amount, value: amount, className: cn(amountCents > 0 && 'text-positive-text') },
          { label: t.columns.balance, value: points(balanceCents), className: 'font-normal' },
        ]}
      />
    </div>
  )
}

/** Links to the page of the cause, if there is one. */
function TransactionLink({
  line: { kind, refKind, ref, inventoryId },
  children,
}: {
  line: Transaction
  children: ReactNode
}) {
  const linkStyle = 'rounded-sm text-gold-text underline underline-offset-4'
  if (kind === 'order-refund') {
    return (
      <Link to="/my-opens" className={linkStyle}>
        {children}
      </Link>
    )
  }
  if (refKind === 'open') {
    return (
      <Link to="/verify/$openId" params={{ openId: ref }} className={linkStyle}>
        {children}
      </Link>
    )
  }
  if (refKind === 'deposit') {
    return (
      <Link to="/deposit/$depositId" params={{ depositId: ref }} className={linkStyle}>
        {children}
      </Link>
    )
  }
  if (refKind === 'claim') {
    return (
      <Link to="/claims" className={linkStyle}>
        {children}
      </Link>
    )
  }
  if (refKind === 'hold') {
    return (
      <Link to="/orders" className={linkStyle}>
        {children}
      </Link>
    )
  }
  if (inventoryId) {
    return (
      <Link to="/entry/$entryId" params={{ entryId: inventoryId }} className={linkStyle}>
        {children}
      </Link>
    )
  }
  return children
}
