import type { CSSProperties } from 'react'
import { useOpeningT } from './texts'
import type { PulledItem } from '@/contract/types'
import { cn } from '@/lib/cn'
import { asRarity } from '@/lib/rarity'
import { Slab } from '@/components/slab'
import type { Haul } from './haul'
import type { Show } from './show-reducer'
import styles from './opening.module.css'
import { Stage } from './stage'

interface RevealStageProps {
  haul: Haul
  show: Pick<Show, 'revealed' | 'sparked'>
  skip: () => void
  skipText: string | undefined
}

/** Reveals the items one by one, the most valuable last. A single item fills the stage. */
export function RevealStage({ haul, show, skip, skipText }: RevealStageProps) {
  const t = useOpeningT().opening.reveal
  const { items } = haul
  const alone = items.length === 1
  const columns = items.length > 15 ? 10 : 5
  return (
    <Stage skip={skip} skipText={skipText} className="overflow-x-hidden">
      <span aria-hidden className={styles['flash']} />
      <div className={cn('w-full', alone ? 'max-w-[min(30rem,46dvh)]' : 'max-w-6xl')}>
        {!alone && (
          <p aria-hidden className="mb-8 text-center text-lg text-muted-foreground tabular-nums">
            {t.heading(show.revealed, items.length)}
          </p>
        )}
        <ol
          style={{ '--columns': columns, '--rows': Math.ceil(items.length / columns) } as CSSProperties}
          className={cn(alone ? 'grid grid-cols-1' : styles['slots'])}
        >
          {items.map((item, i) => (
            <li key={item.inventoryId} data-item={i} className="relative">
              <Slot item={item} number={i + 1} shown={i < show.revealed} sparked={i < show.sparked} />
            </li>
          ))}
        </ol>
      </div>
    </Stage>
  )
}

interface SlotProps {
  item: PulledItem
  number: number
  shown: boolean
  sparked: boolean
}

function Slot({ item, number, shown, sparked }: SlotProps) {
  const t = useOpeningT().opening.reveal
  return (
    <div data-rarity={asRarity(item.rarity)} className={styles['place']}>
      {sparked && <Burst />}
      <Placeholder gone={shown} label={shown ? undefined : t.hidden(number)} />
      {shown && (
        <div className={styles['front']}>
          <Slab item={item} loading="eager" />
        </div>
      )}
    </div>
  )
}

/** Glow in the rarity's color, with rays from Legendary up. */
function Burst() {
  return (
    <span aria-hidden className={styles['burst']}>
      <span className={styles['rays']} />
      <span className={styles['halo']} />
      <span className={styles['ring']} />
    </span>
  )
}

/** The back of a slab that isn't revealed yet. */
function Placeholder({ gone, label }: { gone: boolean; label: string | undefined }) {
  return (
    <div className={styles['reverse']} data-gone={gone} role="img" aria-label={label} aria-hidden={gone}>
      <svg viewBox="0 0 100 100" aria-hidden className="w-2/5">
        <path
          d="m50 8 11 27 29 3-22 19 7 29-25-16-25 16 7-29L10 38l29-3z"
          fill="none"
          stroke="currentColor"
          strokeWidth="3"
          strokeLinejoin="round"
        />
      </svg>
    </div>
  )
}
