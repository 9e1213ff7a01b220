import { useQuery } from '@tanstack/react-query'
import { ArrowLeftRight } from 'lucide-react'
import { useId, useState } from 'react'
import { topDays, tradePairsQuery } from '@/api/admin-figures'
import { useLanguage } from '@/i18n'
import type { TradePair } from '@/contract/types'
import { dateTime, dollars, number } from '@/lib/format'
import { EmptyState } from '@/components/ui/empty-state'
import { Loaded } from '@/components/ui/loaded'
import { Select } from '@/components/ui/select'
import { Skeleton } from '@/components/ui/skeleton'
import { Table } from '@/components/ui/table'
import { adminTexts } from './texts'
import { UserLink } from './user-link'

/** Pairs of users whose trades moved the most above the cards' value. */
export function TradePairs() {
  const t = adminTexts.useT().overview
  const id = useId()
  const [days, setDays] = useState<(typeof topDays)[number]>(30)
  const pairs = useQuery(tradePairsQuery(days))
  return (
    <section aria-labelledby={id} className="panel rounded-2xl p-6">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <div>
          <h3 id={id} className="text-lg font-semibold">
            {t.pairs}
          </h3>
          <p className="text-sm text-muted-foreground">{t.pairsText}</p>
        </div>
        <Select
          aria-label={t.within}
          value={days}
          onChange={({ target }) => setDays(topDays.find((one) => String(one) === target.value) ?? 30)}
        >
          {topDays.map((one) => (
            <option key={one} value={one}>
              {t.days(one)}
            </option>
          ))}
        </Select>
      </div>
      <Loaded
        query={pairs}
        failed={t.pairsFailed}
        skeleton={<Skeleton className="mt-4 h-60" />}
        empty={<EmptyState icon={<ArrowLeftRight />} title={t.pairsNone} text={t.pairsNoneText} level={3} />}
      >
        {(all) => <Pairs pairs={all} />}
      </Loaded>
    </section>
  )
}

function Pairs({ pairs }: { pairs: readonly TradePair[] }) {
  const t = adminTexts.useT().overview
  const language = useLanguage()
  return (
    <Table
      caption={t.pairs}
      rows={pairs}
      idOf={({ gainer, payer }) => `${gainer.walletAddress} ${payer.walletAddress}`}
      roomy
      columns={[
        { head: t.pairColumns.gainer, cell: ({ gainer }) => <Side side={gainer} /> },
        { head: t.pairColumns.payer, cell: ({ payer }) => <Side side={payer} /> },
        {
          head: t.pairColumns.moved,
          cell: ({ movedCents }) => dollars(movedCents),
          className: 'text-right whitespace-nowrap',
          cellClassName: 'font-semibold',
        },
        { head: t.pairColumns.trades, cell: ({ trades }) => number(trades), className: 'text-right' },
        {
          head: t.pairColumns.last,
          cell: ({ lastAt }) => <time dateTime={lastAt}>{dateTime(lastAt, language)}</time>,
          className: 'whitespace-nowrap',
        },
      ]}
    />
  )
}

function Side({ side: { userId, walletAddress, firstDepositAt, lastDepositAt } }: { side: TradePair['gainer'] }) {
  const t = adminTexts.useT().overview
  const language = useLanguage()
  return (
    <>
      <UserLink id={userId} walletAddress={walletAddress} />
      <span className="block text-xs font-normal text-muted-foreground">
        {firstDepositAt && lastDepositAt
          ? t.deposits(dateTime(firstDepositAt, language), dateTime(lastDepositAt, language))
          : t.noDeposits}
      </span>
    </>
  )
}
