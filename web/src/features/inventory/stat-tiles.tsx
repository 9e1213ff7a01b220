import { useInventorySummary } from '@/api/inventory'
import { dollars, number } from '@/lib/format'
import { Tiles } from '@/components/ui/tiles'
import { inventoryTexts } from './texts'

export function StatTiles() {
  const { tiles: t, totalsFailed } = inventoryTexts.useT().collection
  const summary = useInventorySummary()
  const totals = summary.data
  return (
    <Tiles
      query={summary}
      failed={totalsFailed}
      columns="grid-cols-2 lg:grid-cols-4"
      tiles={[
        { label: t.total, value: totals && number(totals.count) },
        { label: t.value, value: totals && dollars(totals.valueCents) },
        { label: t.listed, value: totals && number(totals.listed) },
        { label: t.rarities, value: totals && number(totals.rarities) },
      ]}
    />
  )
}
