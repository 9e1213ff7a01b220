import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { itemQuery } from '@/api/items'
import { useLanguage, useT } from '@/i18n'
import { proofsTexts } from './texts'
import type { Bytes } from '@/lib/protocol/bytes'
import type { ProofLeaf } from '@/lib/protocol/proof-leaf'
import { type Manifest, parseManifest } from '@/lib/protocol/manifest'
import { dateTime, dollars } from '@/lib/format'
import { ItemCard } from '@/components/item-card'
import { oddsTierLabel } from '@/components/odds-tier-label'
import { Facts } from '@/components/ui/facts'

/** Ids get a line of their own. */
export const idClass = 'basis-full text-left font-mono text-[0.6875rem] leading-5 font-normal break-all select-all'

/** The contents of a leaf: the items drawn, for whom and when. */
export function DrawnItems({
  leaf,
  manifest,
  isOwn,
}: {
  leaf: ProofLeaf
  manifest: Bytes | undefined
  isOwn: boolean
}) {
  const t = proofsTexts.useT().verify.proof
  const language = useLanguage()
  const table = manifest && tryParse(manifest)
  const paidCents = leaf.priceCents ?? table?.priceCents
  const total = leaf.items.reduce((sum, { valueCents }) => sum + valueCents, 0)
  return (
    <section aria-labelledby="drawn" className="panel rounded-2xl p-5">
      <p className="eyebrow">{t.drawn}</p>
      <h2 id="drawn" className="mt-0.5 text-lg font-semibold">
        <Link to="/pack/$packId" params={{ packId: leaf.pack }} className="hover:text-gold-text">
          {table?.name ?? leaf.pack}
        </Link>
      </h2>
      {isOwn && <p className="text-sm text-positive-text">{t.mine}</p>}
      <ul className="mt-4 space-y-2.5">
        {leaf.items.map((item, index) => (
          // The same card may be drawn twice.
          <li key={`${index} ${item.id}`} className="rounded-xl border bg-background p-2.5">
            <Item item={item} tier={table && tierOf(table, item.id)} />
          </li>
        ))}
      </ul>
      <Facts
        className="mt-4 space-y-1.5 text-[0.8125rem]/[inherit]"
        facts={[
          ...(paidCents === undefined ? [] : [{ label: t.paid, value: dollars(paidCents) }]),
          { label: t.total, value: dollars(total) },
          { label: t.time, value: <time dateTime={leaf.time}>{dateTime(leaf.time, language)}</time> },
          { label: t.nonce, value: String(leaf.nonce) },
          { label: t.player, value: leaf.user, className: idClass },
          { label: t.openId, value: leaf.id, className: idClass },
        ]}
      />
    </section>
  )
}

function Item({ item, tier }: { item: ProofLeaf['items'][number]; tier: string | undefined }) {
  const { catalogue } = useT()
  // The catalogue's name isn't part of the proof: show the id until it loads.
  const { data } = useQuery(itemQuery(item.id))
  return (
    <ItemCard
      item={{ id: item.id, name: data?.name ?? item.id, imageUrl: `/media/items/${item.id}.svg` }}
      layout="row"
      badges={tier && <span className="text-xs text-muted-foreground">{oddsTierLabel(tier, catalogue)}</span>}
      valueCents={item.valueCents}
    >
      <p className="mt-0.5 truncate font-mono text-[0.6875rem] text-muted-foreground">{item.id}</p>
    </ItemCard>
  )
}

export function tryParse(manifest: Bytes): Manifest | undefined {
  try {
    return parseManifest(manifest)
  } catch {
    return undefined
  }
}

function tierOf(table: Manifest, id: string): string {
  return table.tiers.find((tier) => tier.cards.some((card) => card.id === id))?.label ?? ''
}
