import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { itemQuery } from '@/api/items'
import { useLanguage, useT } from '@/i18n'
import { verifyTexts } from './texts/verify'
import type { Bytes } from '@/lib/fair/bytes'
import type { OpenLeaf } from '@/lib/fair/leaf'
import { type Manifest, parseManifest } from '@/lib/fair/manifest'
import { dateTime, dollars } from '@/lib/format'
import { tierLabel } from '@/domain/tier-label'
import { Art } from '@/ui/art'

/** What a leaf says was drawn, for whom and when, in a form made for eyes. */
export function Drawn({ leaf, manifest, mine }: { leaf: OpenLeaf; manifest: Bytes | undefined; mine: boolean }) {
  const t = verifyTexts.useT().proof
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
          <li key={`${at} ${item.id}`} className="flex items-center gap-3.5 rounded-xl border bg-background p-2.5">
            <Item item={item} tier={table && tierOf(table, item.id)} />
          </li>
        ))}
      </ul>
      <dl className="mt-4 grid grid-cols-[auto_minmax(0,1fr)] gap-x-5 gap-y-1.5 text-[0.8125rem] tabular-nums">
        <Line label={t.paid}>{dollars(leaf.priceCents)}</Line>
        <Line label={t.total}>{dollars(total)}</Line>
        <Line label={t.time}>
          <time dateTime={leaf.time}>{dateTime(leaf.time, language)}</time>
        </Line>
        <Line label={t.nonce}>{String(leaf.nonce)}</Line>
        <Code label={t.player}>{leaf.user}</Code>
        <Code label={t.openId}>{leaf.id}</Code>
      </dl>
    </section>
  )
}

function Item({ item, tier }: { item: OpenLeaf['items'][number]; tier: string | undefined }) {
  const { catalogue } = useT()
  // What the catalogue calls a card proves nothing, so nobody waits for it.
  const { data } = useQuery(itemQuery(item.id))
  return (
    <>
      <Art src={`/media/items/${item.id}.svg`} alt="" className="h-16 w-auto" />
      <div className="min-w-0 flex-1">
        <p className="line-clamp-2 text-[0.8125rem] leading-snug font-medium">{data?.name ?? item.id}</p>
        <p className="mt-0.5 truncate text-xs text-muted-foreground">
          {tier && `${tierLabel(tier, catalogue)} · `}
          <span className="font-mono text-[0.6875rem]">{item.id}</span>
        </p>
      </div>
      <p className="text-sm font-semibold tabular-nums">{dollars(item.valueCents)}</p>
    </>
  )
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted-foreground">{label}</dt>
      <dd className="text-right font-medium">{children}</dd>
    </>
  )
}

/** A long number gets a line of its own. */
function Code({ label, children }: { label: string; children: string }) {
  return (
    <div className="col-span-2 mt-1">
      <dt className="text-muted-foreground">{label}</dt>
      <dd className="font-mono text-[0.6875rem] leading-5 break-all select-all">{children}</dd>
    </div>
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
