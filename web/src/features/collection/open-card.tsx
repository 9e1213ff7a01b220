import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useLanguage } from '@/i18n'
import { opensTexts } from './texts/opens'
import type { Opening, PulledItem } from '@/lib/contract/types'
import { cn } from '@/lib/cn'
import { dateTime, dollars, points } from '@/lib/format'
import { Art } from '@/ui/art'
import { Coin } from '@/domain/points'
import { RarityBadge } from '@/domain/rarity-badge'

/** One open: what it cost, what came out, and the numbers that prove it. */
export function OpenCard({ opening, verify }: { opening: Opening; verify: ReactNode }) {
  const t = opensTexts.useT()
  const language = useLanguage()
  return (
    <article className="panel rounded-2xl p-5">
      <header className="flex flex-wrap items-center justify-between gap-4">
        <div>
          <h2 className="font-semibold">
            <Link to="/pack/$packId" params={{ packId: opening.packId }} className="hover:text-gold-text">
              {opening.packName}
            </Link>
          </h2>
          <time dateTime={opening.createdAt} className="text-sm text-muted-foreground tabular-nums">
            {dateTime(opening.createdAt, language)}
          </time>
        </div>
        <div className="flex items-center gap-7">
          <dl className="flex gap-7 text-right text-sm tabular-nums">
            <Figure label={t.price}>
              <Coin /> {points(opening.priceCents)}
            </Figure>
            <Figure label={t.total} good={opening.totalValueCents >= opening.priceCents}>
              {dollars(opening.totalValueCents)}
            </Figure>
          </dl>
          {verify}
        </div>
      </header>
      <ul className="mt-4 grid items-center gap-x-6 gap-y-3 lg:grid-cols-2">
        {(opening.items ?? []).map((item) => (
          <li key={item.inventoryId} className="flex items-center gap-4 rounded-xl border bg-background p-3">
            <Pulled item={item} />
          </li>
        ))}
        <li>
          <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-xs leading-5">
            <Proof label={t.commitment} value={opening.commitment} />
            <Proof label={t.serverSeed} value={opening.serverSeedRevealed} />
            <Proof label={t.clientSeed} value={opening.clientSeed} />
            <Proof label={t.nonce} value={String(opening.nonce)} />
          </dl>
        </li>
      </ul>
    </article>
  )
}

function Figure({ label, good = false, children }: { label: string; good?: boolean; children: ReactNode }) {
  return (
    <div>
      <dt className="text-xs text-muted-foreground">{label}</dt>
      <dd className={cn('flex items-center justify-end gap-1.5 font-semibold', good && 'text-positive-text')}>
        {children}
      </dd>
    </div>
  )
}

function Pulled({ item }: { item: PulledItem }) {
  return (
    <>
      <Art src={item.imageUrl} alt="" loading="lazy" className="h-20 w-auto" />
      <div className="min-w-0 flex-1">
        <p className="line-clamp-2 text-sm font-medium">{item.name}</p>
        <div className="mt-1.5 flex items-center justify-between gap-3">
          <RarityBadge rarity={item.rarity} size="sm" />
          <span className="text-sm font-semibold tabular-nums">{dollars(item.baseValueCents)}</span>
        </div>
      </div>
    </>
  )
}

/** Long hexadecimal numbers are cut for the eye only: selecting copies all of them. */
function Proof({ label, value }: { label: string; value: string }) {
  return (
    <>
      <dt className="text-muted-foreground">{label}</dt>
      <dd className="truncate font-mono" title={value}>
        {value}
      </dd>
    </>
  )
}
