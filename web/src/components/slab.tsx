import type { PointerEvent } from 'react'
import { cn } from '@/lib/cn'
import { asRarity } from '@/lib/rarity'
import { Art, type ArtLoading } from '@/components/ui/art'
import styles from './slab.module.css'

interface SlabProps {
  item: { name: string; imageUrl: string; rarity: string }
  loading?: ArtLoading
  /** Glow in the rarity's color around the case. */
  glow?: boolean
  className?: string
}

/** An item in a clear case (slab). Reflections follow the pointer through CSS custom properties, without rendering. */
export function Slab({ item, glow = false, loading = 'lazy', className }: SlabProps) {
  return (
    <div
      data-rarity={asRarity(item.rarity)}
      className={cn(styles['slab'], className)}
      onPointerMove={followPointer}
      onPointerLeave={letGo}
    >
      {glow && <span aria-hidden className={styles['glow']} />}
      <div className={styles['case']}>
        <Art
          src={item.imageUrl}
          alt={item.name}
          loading={loading}
          decoding="async"
          draggable={false}
          className={styles['art']}
        />
        <span aria-hidden className={styles['foil']} />
      </div>
    </div>
  )
}

function followPointer({ currentTarget, clientX, clientY, pointerType }: PointerEvent<HTMLElement>): void {
  if (pointerType === 'touch') return
  const box = currentTarget.getBoundingClientRect()
  currentTarget.style.setProperty('--x', ((clientX - box.left) / box.width).toFixed(3))
  currentTarget.style.setProperty('--y', ((clientY - box.top) / box.height).toFixed(3))
}

function letGo({ currentTarget }: PointerEvent<HTMLElement>): void {
  currentTarget.style.removeProperty('--x')
  currentTarget.style.removeProperty('--y')
}
