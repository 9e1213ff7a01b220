import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import { usePackName } from '@/i18n/names'
import { publicbooksTexts } from './texts'
import type { Books } from '@/contract/types'
import { cn } from '@/lib/cn'
import { number, points } from '@/lib/format'
import { Table } from '@/components/ui/table'

/** A titled section of the books. */
export function BookSection({
  id,
  title,
  text,
  children,
}: {
  id: string
  title: string
  text: string
  children: ReactNode
}) {
  return (
    <section aria-labelledby={id} className="panel min-w-0 rounded-2xl p-6">
      <h2 id={id} className="text-lg font-semibold">
        {title}
      </h2>
      <p className="mt-1 text-sm text-pretty text-muted-foreground">{text}</p>
      {children}
    </section>
  )
}

const numberClass = 'text-right whitespace-nowrap'
const noteClass = 'mt-3 text-xs text-pretty text-muted-foreground'

interface Line {
  label: string
  number?: number
  in?: number
  out?: number
  total?: true
}

const totalClass = ({ total }: { total?: true }) => (total ? 'font-semibold' : undefined)

export function PointsTable({ totals }: { totals: Books['points'] }) {
  const t = publicbooksTexts.useT()
  const lines: Line[] = [
    { label: t.lines.deposits, in: totals.depositsCents },
    { label: t.lines.gifts, in: totals.giftsCents },
    { label: t.lines.credits, in: totals.creditsCents },
    { label: t.lines.soldBack, number: totals.soldBack, in: totals.soldBackCents },
    { label: t.lines.spent, number: totals.opens, out: totals.spentCents },
    { label: t.lines.refunded, out: totals.refundedCents },
    { label: t.lines.fees, number: totals.sales, out: totals.feesCents },
    { label: t.lines.shipping, out: totals.shippingCents },
    { label: t.lines.returned, in: totals.returnedCents },
    { label: t.lines.losses, in: totals.lossesCents },
    { label: t.lines.debits, out: totals.debitsCents },
    { label: t.lines.forfeits, out: totals.forfeitsCents },
    { label: t.lines.outstanding, in: totals.outstandingCents, total: true },
  ]
  const amount = (cents: number | undefined) => (cents === undefined ? '' : points(cents))
  return (
    <>
      <Table
        caption={t.points}
        rows={lines}
        idOf={({ label }) => label}
        roomy
        columns={[
          { head: t.columns.line, cell: ({ label }) => label },
          {
            head: t.columns.number,
            cell: (line) => (line.number === undefined ? '' : number(line.number)),
            className: numberClass,
            cellClassName: 'text-muted-foreground',
          },
          { head: t.columns.in, cell: (line) => amount(line.in), className: numberClass, cellClassName: totalClass },
          { head: t.columns.out, cell: (line) => amount(line.out), className: numberClass },
        ]}
      />
      <p className={noteClass}>{t.sales(points(totals.salesCents))}</p>
      {totals.uncoveredCents > 0 && <p className={noteClass}>{t.uncovered(points(totals.uncoveredCents))}</p>}
    </>
  )
}

export function LedgerTable({ ledger }: { ledger: Books['ledger'] }) {
  const t = publicbooksTexts.useT()
  const rows: { label: string; cents: number; total?: true }[] = [
    { label: t.users(number(ledger.accounts)), cents: ledger.usersCents },
    ...ledger.house.map(({ name, balanceCents }) => ({ label: t.house[name], cents: balanceCents })),
    { label: t.sum, cents: ledger.balanceCents, total: true },
  ]
  const balanced = ledger.balanceCents === 0
  return (
    <>
      <Table
        caption={t.ledger}
        rows={rows}
        idOf={({ label }) => label}
        roomy
        columns={[
          { head: t.accounts.account, cell: ({ label }) => label },
          {
            head: t.accounts.balance,
            cell: ({ cents }) => points(cents),
            className: numberClass,
            cellClassName: totalClass,
          },
        ]}
      />
      <p className={cn('mt-3 text-sm font-medium', balanced ? 'text-positive-text' : 'text-destructive')}>
        {balanced ? t.balanced : t.unbalanced}
      </p>
    </>
  )
}

const unlimited = -1

export function PacksTable({ packs }: { packs: Books['packs'] }) {
  const t = publicbooksTexts.useT()
  const packName = usePackName()
  const accepted = (cents: number | null) => {
    if (cents === null) return t.none
    return cents === unlimited ? t.any : points(cents)
  }
  return (
    <>
      <Table
        caption={t.packs}
        rows={packs}
        idOf={({ packId }) => packId}
        roomy
        columns={[
          {
            head: t.packColumns.pack,
            cell: ({ packId, ...pack }) => (
              <Link to="/pack/$packId" params={{ packId }} className="underline-offset-4 hover:underline">
                {packName(pack)}
              </Link>
            ),
          },
          {
            head: t.packColumns.accepted,
            cell: ({ acceptedLossCents }) => accepted(acceptedLossCents),
            className: numberClass,
          },
          {
            head: t.packColumns.draws,
            cell: ({ drawsLossCents }) => (drawsLossCents === null ? t.uncounted : points(drawsLossCents)),
            className: numberClass,
          },
          {
            head: t.packColumns.beyond,
            cell: ({ beyondQuotesCents }) => points(beyondQuotesCents),
            className: numberClass,
          },
        ]}
      />
      <p className={noteClass}>{t.packsNote}</p>
    </>
  )
}
