import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { itemQuery } from '@/api/items'
import { useLanguage, useT } from '@/i18n'
import { proofsTexts } from './texts'
import type { Bytes } from '@/lib/protocol/bytes'
import type { OpenLeaf } from '@/lib/protocol/leaf'
import { type Manifest, parseManifest } from '@/lib/protocol/manifest'
import { dateTime, dollars } from '@/lib/format'
import { ItemCard } from '@/components/item-card'
import { tierLabel } from '@/components/tier-label'
import { Facts } from '@/components/ui/facts'

/** A long number gets a line of its own. */
const code = 'basis-full text-left font-mono text-[0.6875rem] leading-5 font-normal break-all select-all'

/** What a leaf says was drawn, for whom and when, in a form made for eyes. */
export function Drawn({ leaf, manifest, mine }: { leaf: OpenLeaf; manifest: Bytes | undefined; mine: boolean }) {
  const t = proofsTexts.useT().verify.proof
  const language = useLanguage()
  const table = manifest && tryParse(manifest)
  const total = leaf.items.reduce((sum, { valueCents }) => sum + valueCents, 0)
  return (
    <section aria-labelledby="drawn" className="panel rounded-2xl p-5">
      <p className="eyebrow">{t.drawn}</p>
      <h2 id="drawn" className="mt-0.5 text-lg font-semibold">
        <Link to="/pack/$packId" params={{ packId: leaf.pack }} className="hover:text-gold-text">
          {table?.name ?? leaf.pack}
        </Link>
      </h2>
      {mine && <p className="text-sm text-positive-text">{t.mine}</p>}
      <ul className="mt-4 space-y-2.5">
        {leaf.items.map((item, at) => (
          // The same card may be drawn twice: its place is all that tells them apart.
          <li key={`${at} ${item.id}`} className="rounded-xl border bg-background p-2.5">
            <Item item={item} tier={table && tierOf(table, item.id)} />
          </li>
        ))}
      </ul>
      <Facts
        className="mt-4 space-y-1.5 text-[0.8125rem]"
        facts={[
          { label: t.paid, value: dollars(leaf.priceCents) },
          { label: t.total, value: dollars(total) },
          { label: t.time, value: <time dateTime={leaf.time}>{dateTime(leaf.time, language)}</time> },
          { label: t.nonce, value: String(leaf.nonce) },
          { label: t.player, value: leaf.user, className: code },
          { label: t.openId, value: leaf.id, className: code },
        ]}
      />
    </section>
  )
}

function Item({ item, tier }: { item: OpenLeaf['items'][number]; tier: string | undefined }) {
  const { catalogue } = useT()
  // What the catalogue calls a card proves nothing, so nobody waits for it.
  const { data } = useQuery(itemQuery(item.id))
  return (
    <ItemCard
      item={{ id: item.id, name: data?.name ?? item.id, imageUrl: `/media/items/${item.id}.svg` }}
      look="row"
      badges={tier && <span className="text-xs text-muted-foreground">{tierLabel(tier, catalogue)}</span>}
      valueCents={item.valueCents}
    >
      <p className="mt-0.5 truncate font-mono text-[0.6875rem] text-muted-foreground">{item.id}</p>
    </ItemCard>
  )
}

function tryParse(manifest: Bytes): Manifest | undefined {
  try {
    return parseManifest(manifest)
  } catch {
    return undefined
  }
}

function tierOf(table: Manifest, id: string): string {
  return table.tiers.find((tier) => tier.cards.some((card) => card.id === id))?.label ?? ''
}
