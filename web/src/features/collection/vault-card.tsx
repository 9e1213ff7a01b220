import type { ReactNode } from 'react'
import { useT } from '@/i18n'
import { vaultTexts } from './texts/vault'
import type { InventoryEntry } from '@/lib/contract/types'
import { dollars } from '@/lib/format'
import { Badge } from '@/ui/badge'
import { CertificateLink } from '@/domain/certificate-link'
import { RarityBadge } from '@/domain/rarity-badge'
import { Slab } from '@/domain/slab'

interface VaultCardProps {
  entry: InventoryEntry
  /** What sells the entry, or takes it back. */
  sell: ReactNode
}

export function VaultCard({ entry: { item, salePriceCents }, sell }: VaultCardProps) {
  const { collection } = useT()
  const t = vaultTexts.useT()
  return (
    <article className="panel flex h-full flex-col rounded-2xl p-4">
      <Slab item={item} className="mx-auto w-3/5 lift" />
      <div className="mt-4 flex flex-wrap items-center gap-2">
        <RarityBadge rarity={item.rarity} size="sm" />
        {item.grade !== null && <Badge>{t.grade(String(item.grade))}</Badge>}
      </div>
      <h2 className="mt-2 line-clamp-2 text-sm leading-5 font-medium">{item.name}</h2>
      <p className="mt-0.5 mb-3 flex flex-wrap items-baseline justify-between gap-x-3 text-xs text-muted-foreground">
        {item.series}
        <CertificateLink certType={item.certification} certNumber={item.certNumber} className="text-xs" />
      </p>
      <dl className="mt-auto space-y-1 border-t border-line pt-3 text-sm">
        <Figure label={t.baseValue}>{dollars(item.baseValueCents)}</Figure>
        {salePriceCents !== null && <Figure label={collection.salePrice}>{dollars(salePriceCents)}</Figure>}
      </dl>
      <div className="mt-3 empty:hidden">{sell}</div>
    </article>
  )
}

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-3">
      <dt className="text-muted-foreground">{label}</dt>
      <dd className="font-semibold tabular-nums">{children}</dd>
    </div>
  )
}
