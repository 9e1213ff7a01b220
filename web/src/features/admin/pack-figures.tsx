import type { UseQueryResult } from '@tanstack/react-query'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { OddsBar } from '@/components/odds-bar'
import { oddsTierLabel } from '@/components/odds-tier-label'
import { useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { cn } from '@/lib/cn'
import type { PackPreview } from '@/contract/types'
import { dollars, number, percent } from '@/lib/format'
import { Facts } from '@/components/ui/facts'
import { Skeleton } from '@/components/ui/skeleton'
import { Table } from '@/components/ui/table'
import { leftOutNames } from './left-out-names'
import { adminTexts } from './texts'

type Figures = NonNullable<PackPreview['figures']>

/** The server's name for cards outside all tiers, which are drawn when nothing else is left. */
const lastResort = 'last resort'

interface PackFiguresProps {
  preview: UseQueryResult<PackPreview>
  /** Whether the form is valid enough for a preview. */
  hasInput: boolean
}

/** Figures of the pack, which the server computes as it would when saving. */
export function PackFigures({ preview, hasInput }: PackFiguresProps) {
  const texts = useT()
  const t = adminTexts.useT().editing.pack
  const { data, isError, error, isPlaceholderData } = preview
  return (
    <section
      aria-label={t.preview}
      aria-busy={isPlaceholderData}
      className="space-y-4 rounded-xl border border-line bg-muted p-4"
    >
      <h3 className="text-sm font-semibold">{t.preview}</h3>
      {isError && (
        <p role="alert" className="text-sm text-destructive-text">
          {`${t.previewFailed}: ${errorText(error, texts)}`}
        </p>
      )}
      {!isError && !hasInput && !data && <p className="text-sm text-muted-foreground">{t.previewEmpty}</p>}
      {!isError && hasInput && !data && <Skeleton className="h-72 rounded-lg" />}
      {data && <PreviewResult data={data} />}
    </section>
  )
}

function PreviewResult({ data }: { data: PackPreview }) {
  const adminT = adminTexts.useT().admin
  const t = adminTexts.useT().editing.pack
  const { figures, leftOut } = data
  return (
    <>
      {figures ? <Totals figures={figures} /> : <p className="text-sm text-muted-foreground">{t.previewEmpty}</p>}
      <Verdict data={data} />
      {figures && <Tiers figures={figures} />}
      {leftOut.length > 0 && (
        <p className="text-xs text-pretty text-muted-foreground">{t.leftOut(leftOutNames(leftOut, adminT.andMore))}</p>
      )}
    </>
  )
}

function Totals({ figures }: { figures: Figures }) {
  const t = adminTexts.useT().editing.pack
  const { expectedValueCents, expectedSellBackCents, marginCents, worstSellBackCents } = figures
  return (
    <Facts
      layout="stacks"
      className="grid grid-cols-2 gap-x-4 gap-y-3"
      facts={[
        { label: t.expected, value: dollars(expectedValueCents) },
        { label: t.sellBack, value: dollars(expectedSellBackCents) },
        {
          label: t.margin,
          value: dollars(marginCents),
          className: cn('text-lg', marginCents < 0 ? 'text-destructive-text' : 'text-positive-text'),
        },
        { label: t.worst, value: dollars(worstSellBackCents) },
      ]}
    />
  )
}

function Verdict({ data: { refusal, fields, figures, fits } }: { data: PackPreview }) {
  const { catalogue } = useT()
  const adminT = adminTexts.useT().admin
  const t = adminTexts.useT().editing.pack
  const { name: _, ...others } = fields
  const reasons = Object.values(others).map((why) => adminT.reason(why, catalogue.rarities))
  const refused = refusal !== '' || reasons.length > 0
  if (!refused && !figures) return null
  const Icon = refused ? CircleAlert : CircleCheck
  const loses = fits.lowestPriceCents !== null && figures
  return (
    <div role="status" className="flex items-start gap-2 text-sm text-pretty">
      <Icon
        aria-hidden
        className={cn('mt-0.5 size-4 shrink-0', refused ? 'text-destructive-text' : 'text-positive-text')}
      />
      <p>
        {refused ? (
          <>
            <strong className="font-semibold">{t.refused}</strong>{' '}
            <span>
              {loses
                ? adminT.loses(
                    dollars(figures.expectedSellBackCents),
                    dollars(figures.expectedSellBackCents + figures.marginCents),
                  )
                : reasons.join(' ') || adminT.reason(refusal, catalogue.rarities)}
            </span>
          </>
        ) : (
          t.passes
        )}
      </p>
    </div>
  )
}

function Tiers({ figures: { tiers } }: { figures: Figures }) {
  const { catalogue } = useT()
  const t = adminTexts.useT().editing.pack
  const full = Math.max(...tiers.map(({ chance }) => chance), 0)
  const shown = tiers.filter(({ label, chance, cards }) => chance > 0 || (cards > 0 && label !== lastResort))
  return (
    <Table
      caption={t.tiers}
      className="text-xs"
      rows={shown}
      idOf={({ label }) => label}
      columns={[
        {
          head: t.columns.tier,
          cell: ({ label }) => (label === lastResort ? t.lastResort : oddsTierLabel(label, catalogue)),
          className: 'pr-2',
        },
        {
          head: null,
          cell: ({ chance }) => <OddsBar chance={chance} full={full} bright={false} />,
          className: 'w-1/6',
        },
        {
          head: t.columns.chance,
          cell: ({ chance }) => percent(chance),
          className: 'pl-2 text-right whitespace-nowrap',
          cellClassName: 'font-semibold',
        },
        { head: t.columns.cards, cell: ({ cards }) => number(cards), className: 'pl-2 text-right' },
        {
          head: t.columns.value,
          cell: ({ expectedCents }) => dollars(expectedCents),
          className: 'pl-2 text-right whitespace-nowrap',
        },
        {
          head: t.columns.worst,
          cell: ({ worstSellBackCents }) => dollars(worstSellBackCents),
          className: 'pl-2 text-right whitespace-nowrap',
        },
      ]}
    />
  )
}
