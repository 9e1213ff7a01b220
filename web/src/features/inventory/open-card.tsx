import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ItemCard } from '@/components/item-card'
import { Points } from '@/components/points'
import { useLanguage } from '@/i18n'
import { usePackName } from '@/i18n/names'
import { PendingDraw } from './pending-draw'
import { inventoryTexts } from './texts'
import type { Opening } from '@/contract/types'
import { dateTime, dollars } from '@/lib/format'
import { Badge } from '@/components/ui/badge'
import { Copyable } from '@/components/ui/copyable'
import { Facts } from '@/components/ui/facts'

export function OpenCard({ opening, actions }: { opening: Opening; actions: ReactNode }) {
  const t = inventoryTexts.useT().opens
  const language = useLanguage()
  const packName = usePackName()
  const { totalValueCents, priceCents, state, order } = opening
  const gained = totalValueCents >= priceCents
  return (
    <article className="panel rounded-2xl p-5">
      <header className="flex flex-wrap items-center justify-between gap-4">
        <div>
          <h2 className="flex items-center gap-2.5 font-semibold">
            <Link to="/pack/$packId" params={{ packId: opening.packId }} className="hover:text-gold-text">
              {packName(opening)}
            </Link>
            {state === 'sealed' && <Badge variant="gold">{t.drawing}</Badge>}
            {state === 'void' && <Badge>{t.refunded}</Badge>}
          </h2>
          <time dateTime={opening.createdAt} className="text-sm text-muted-foreground tabular-nums">
            {dateTime(opening.createdAt, language)}
          </time>
        </div>
        <div className="flex flex-wrap items-center gap-x-7 gap-y-3">
          <Facts
            layout="stacks"
            className="flex gap-7 text-right text-sm"
            facts={[
              { label: t.price, value: <Points cents={priceCents} /> },
              ...(state === 'open'
                ? [
                    {
                      label: t.total,
                      value: dollars(totalValueCents),
                      className: gained ? 'text-positive-text' : undefined,
                    },
                  ]
                : []),
            ]}
          />
          {state === 'open' && actions}
        </div>
      </header>
      {state === 'sealed' && <PendingDraw opening={opening} />}
      {state === 'void' && (
        <p className="mt-4 text-sm text-muted-foreground">{t.voided[order?.voidReason ?? 'no-beacon']}</p>
      )}
      <ul className="mt-4 grid items-center gap-x-6 gap-y-3 lg:grid-cols-2">
        {(opening.items ?? []).map((item) => (
          <li key={item.inventoryId} className="rounded-xl border bg-background p-3">
            <ItemCard item={item} layout="row" valueCents={item.baseValueCents} />
          </li>
        ))}
        <li>
          {/* Truncated only visually: copying a selection gives the full value. */}
          <Facts
            layout="columns"
            facts={[
              { label: t.openId, value: <Copyable text={opening.openId} words={t.copy} label={t.openId} /> },
              ...[
                { label: t.commitment, value: opening.commitment },
                ...(opening.serverSeedRevealed ? [{ label: t.serverSeed, value: opening.serverSeedRevealed }] : []),
                { label: t.clientSeed, value: opening.clientSeed },
                { label: t.nonce, value: String(opening.nonce) },
              ].map((fact) => ({ ...fact, className: 'truncate' })),
            ]}
          />
        </li>
      </ul>
    </article>
  )
}
