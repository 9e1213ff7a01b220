import { useQuery } from '@tanstack/react-query'
import { booksQuery } from '@/api/publicbooks'
import { useLanguage } from '@/i18n'
import { publicbooksTexts } from './texts'
import type { Books } from '@/contract/types'
import { dateTime, number, points } from '@/lib/format'
import { Facts } from '@/components/ui/facts'
import { Loaded } from '@/components/ui/loaded'
import { Skeleton } from '@/components/ui/skeleton'
import { Tiles } from '@/components/ui/tiles'
import { Points } from '@/components/points'
import { LedgerTable, PacksTable, BookSection, PointsTable } from './tables'

/** Kaibao's published accounts. */
export function PublicBooks() {
  const t = publicbooksTexts.useT()
  const books = useQuery(booksQuery)
  const totals = books.data?.points
  return (
    <div className="space-y-5">
      <Tiles
        query={books}
        failed={t.failed}
        columns="grid-cols-2 lg:grid-cols-4"
        tiles={[
          {
            label: t.tiles.issued,
            value: totals && <Points cents={totals.depositsCents + totals.giftsCents + totals.creditsCents} />,
          },
          { label: t.tiles.spent, value: totals && <Points cents={totals.spentCents} /> },
          { label: t.tiles.paidBack, value: totals && <Points cents={totals.soldBackCents + totals.refundedCents} /> },
          { label: t.tiles.fees, value: totals && <Points cents={totals.feesCents} /> },
        ]}
      />
      <Loaded query={books} failed={null} skeleton={<Skeleton className="h-[60rem] rounded-2xl" />}>
        {(loaded) => <BookSections books={loaded} />}
      </Loaded>
    </div>
  )
}

function BookSections({ books }: { books: Books }) {
  const t = publicbooksTexts.useT()
  const language = useLanguage()
  return (
    <>
      <p className="text-sm text-muted-foreground tabular-nums">{t.asOf(dateTime(books.at, language))}</p>
      <div className="grid gap-5 xl:grid-cols-2">
        <BookSection id="points" title={t.points} text={t.pointsText}>
          <PointsTable totals={books.points} />
        </BookSection>
        <BookSection id="ledger" title={t.ledger} text={t.ledgerText}>
          <LedgerTable ledger={books.ledger} />
        </BookSection>
        <Exposure exposure={books.exposure} />
        <Operations books={books} />
      </div>
      <BookSection id="packs" title={t.packs} text={t.packsText}>
        <PacksTable packs={books.packs} />
      </BookSection>
    </>
  )
}

function Exposure({ exposure }: { exposure: Books['exposure'] }) {
  const t = publicbooksTexts.useT()
  return (
    <BookSection id="exposure" title={t.exposure} text={t.exposureText}>
      <Facts
        className="mt-4 space-y-2 text-sm"
        facts={[
          { label: t.worst, value: <Points cents={exposure.worstCents} />, className: 'text-2xl tracking-tight' },
          { label: t.byFloor, value: points(exposure.byFloorCents) },
          { label: t.entries, value: number(exposure.entries) },
        ]}
      />
    </BookSection>
  )
}

function Operations({ books: { closedDay, lastAudit, lastBackup, approvedByCommand } }: { books: Books }) {
  const t = publicbooksTexts.useT()
  const language = useLanguage()
  const when = (time: string | null) => (time ? <time dateTime={time}>{dateTime(time, language)}</time> : t.never)
  return (
    <BookSection id="care" title={t.care} text={t.careText}>
      <Facts
        className="mt-4 space-y-2 text-sm"
        facts={[
          { label: t.closedDay, value: closedDay ?? t.never },
          { label: t.lastAudit, value: when(lastAudit) },
          { label: t.lastBackup, value: when(lastBackup) },
          { label: t.approvedByCommand, value: number(approvedByCommand) },
        ]}
      />
    </BookSection>
  )
}
