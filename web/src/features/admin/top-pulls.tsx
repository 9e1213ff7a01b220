import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Trophy } from 'lucide-react'
import { useId, useState } from 'react'
import { topDays, topPullsQuery } from '@/api/admin-figures'
import { useLanguage } from '@/i18n'
import { usePackName } from '@/i18n/names'
import { terms } from '@/lib/config'
import type { TopPull } from '@/contract/types'
import { dateTime, dollars } from '@/lib/format'
import { EmptyState } from '@/components/ui/empty-state'
import { Loaded } from '@/components/ui/loaded'
import { Select } from '@/components/ui/select'
import { Skeleton } from '@/components/ui/skeleton'
import { Table } from '@/components/ui/table'
import { adminTexts } from './texts'
import { UserLink } from './user-link'

/** The most valuable recent pulls. */
export function TopPulls() {
  const t = adminTexts.useT().overview
  const id = useId()
  const [days, setDays] = useState<(typeof topDays)[number]>(7)
  const pulls = useQuery(topPullsQuery(days))
  const least = dollars(terms.topPullCents)
  return (
    <section aria-labelledby={id} className="panel rounded-2xl p-6">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <div>
          <h3 id={id} className="text-lg font-semibold">
            {t.top}
          </h3>
          <p className="text-sm text-muted-foreground">{t.topText(least)}</p>
        </div>
        <Select
          aria-label={t.within}
          value={days}
          onChange={({ target }) => setDays(topDays.find((one) => String(one) === target.value) ?? 7)}
        >
          {topDays.map((one) => (
            <option key={one} value={one}>
              {t.days(one)}
            </option>
          ))}
        </Select>
      </div>
      <Loaded
        query={pulls}
        failed={t.failed}
        skeleton={<Skeleton className="mt-4 h-80" />}
        empty={<EmptyState icon={<Trophy />} title={t.none} text={t.noneText(least)} level={3} />}
      >
        {(all) => <Pulls pulls={all} />}
      </Loaded>
    </section>
  )
}

function Pulls({ pulls }: { pulls: readonly TopPull[] }) {
  const packName = usePackName()
  const t = adminTexts.useT().overview
  const language = useLanguage()
  return (
    <Table
      caption={t.top}
      rows={pulls}
      idOf={({ inventoryId }) => inventoryId}
      roomy
      columns={[
        { head: t.columns.item, cell: (pull) => <Card pull={pull} /> },
        {
          head: t.columns.value,
          cell: ({ valueCents }) => dollars(valueCents),
          className: 'text-right whitespace-nowrap',
        },
        { head: t.columns.pack, cell: packName },
        {
          head: t.columns.player,
          cell: ({ userId, walletAddress, firstName }) => (
            <UserLink id={userId} walletAddress={walletAddress} name={firstName} />
          ),
        },
        {
          head: t.columns.time,
          cell: ({ createdAt }) => <time dateTime={createdAt}>{dateTime(createdAt, language)}</time>,
          className: 'whitespace-nowrap',
        },
      ]}
    />
  )
}

/** Links to the entry while someone owns it; only its last owner can open an ended entry. */
function Card({ pull: { inventoryId, itemName, ended } }: { pull: TopPull }) {
  if (ended) return itemName
  return (
    <Link to="/entry/$entryId" params={{ entryId: inventoryId }} className="underline-offset-4 hover:underline">
      {itemName}
    </Link>
  )
}
