import { useT } from '@/i18n'
import { useSeriesName } from '@/i18n/names'
import { CertificateLink } from '@/components/certificate-link'
import { ItemLink } from '@/components/item-card'
import { RarityBadge } from '@/components/rarity-badge'
import type { ShownItem } from '@/components/shown-item'
import { Badge } from '@/components/ui/badge'
import { cardTitle } from '@/lib/card-title'
import { marketTexts } from './texts'

/** Player or character and grade first; year, set, series and certificate second. Nothing is truncated. */
export function ListingTitle({ item }: { item: ShownItem }) {
  const t = marketTexts.useT().trade
  const { grade: gradeText } = useT().catalogue
  const seriesName = useSeriesName()
  const { name, series, rarity, grade, certType = '', certNumber = '' } = item
  const title = cardTitle(name)
  return (
    <>
      <h2 className="text-base leading-snug font-semibold text-pretty">
        <ItemLink item={item} aria-label={name}>
          {title.subject}
        </ItemLink>
      </h2>
      <div className="mt-1.5 flex flex-wrap items-center gap-1.5">
        <Badge variant="outline" className="font-semibold">
          {title.grade ?? (grade == null ? t.notGraded : gradeText(String(grade)))}
        </Badge>
        {rarity && <RarityBadge rarity={rarity} size="sm" />}
      </div>
      <div className="mt-2 space-y-0.5 text-xs text-pretty text-muted-foreground">
        {title.set && <p>{title.set}</p>}
        {series && <p>{seriesName(series)}</p>}
        <CertificateLink grader={certType} certNumber={certNumber} className="text-xs" />
      </div>
    </>
  )
}
