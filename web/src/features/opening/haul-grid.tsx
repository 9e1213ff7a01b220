import type { ReactNode } from 'react'
import type { PulledItem } from '@/contract/types'
import { useLanguage } from '@/i18n'
import { cn } from '@/lib/cn'
import { dateTime } from '@/lib/format'
import { ItemText } from '@/components/item-card'
import { Points } from '@/components/points'
import { Slab } from '@/components/slab'
import styles from './opening.module.css'
import { useOpeningT } from './texts'

/** A single pulled item, as large as the window allows. */
export function SingleItem({ item }: { item: PulledItem }) {
  return (
    <div data-item={0} className="mx-auto w-[min(30rem,46dvh)]">
      <Slab item={item} glow loading="eager" />
    </div>
  )
}

/** What Kaibao pays for an item, and how long that price is guaranteed. */
export function Offer({ item: { sellBackCents, sellBackUntil }, className }: { item: PulledItem; className?: string }) {
  const t = useOpeningT().opening.results
  const language = useLanguage()
  if (sellBackCents <= 0) return null
  return (
    <p className={cn('base:text-xs text-muted-foreground', className)}>
      <span>{t.offer}</span> <Points cents={sellBackCents} className="text-foreground" />
      {sellBackUntil && <span className="block">{t.guaranteed(dateTime(sellBackUntil, language))}</span>}
    </p>
  )
}

interface HaulGridProps {
  /** From the least to the most valuable. */
  items: readonly PulledItem[]
  /** Ids of selected entries. */
  picked: ReadonlySet<string>
  /** Undefined if the item can't be sold. */
  onPick: (item: PulledItem) => (() => void) | undefined
  actions: (item: PulledItem) => ReactNode
  /** Whether the item was sold since, so that it has no offer any more. */
  isSold: (item: PulledItem) => boolean
}

/** All pulled items, the most valuable first and largest. */
export function HaulGrid({ items, picked, onPick, actions, isSold }: HaulGridProps) {
  const t = useOpeningT().opening.results
  return (
    <ol aria-label={t.grid} className={styles['haul']}>
      {items
        .map((item, i) => {
          const pick = onPick(item)
          const best = i === items.length - 1
          return (
            <li key={item.inventoryId} data-item={i} className={cn('panel relative flex flex-col rounded-2xl p-4')}>
              {best && <p className="mb-3 text-sm font-semibold text-gold-text">{t.best}</p>}
              <div className={cn('relative mx-auto', best ? 'w-[min(100%,21rem)]' : 'w-3/5')}>
                <Slab item={item} glow={best} loading="eager" />
              </div>
              {pick && (
                <input
                  type="checkbox"
                  checked={picked.has(item.inventoryId)}
                  onChange={pick}
                  aria-label={t.pick(item.name)}
                  className="absolute top-3 right-3 size-5 cursor-pointer accent-gold print:hidden"
                />
              )}
              <div className="mt-3 flex flex-1 flex-col">
                <ItemText item={item} size={best ? 'full' : 'plain'} valueCents={item.baseValueCents}>
                  {!isSold(item) && <Offer item={item} className="mt-2" />}
                </ItemText>
                {/* Reserves the height of all actions, so that nothing moves after a sale. */}
                <div className="mt-auto min-h-28 pt-3 print:hidden">{actions(item)}</div>
              </div>
            </li>
          )
        })
        .toReversed()}
    </ol>
  )
}
