import type { CSSProperties } from 'react'
import { usePackName } from '@/i18n/names'
import { cn } from '@/lib/cn'
import { useMotion } from '@/lib/motion-setting'
import { Art } from '@/components/ui/art'
import { isToyPack } from './categories'
import styles from './pack-cover.module.css'

/**
 * Animation of a cover. `turning` rotates slowly, with light moving over the foil, unless motion is off; `floating` hovers;
 * `shaking` trembles and shrinks; `tearing` opens the wrapper or the lid.
 */
export type PackCoverState = 'still' | 'turning' | 'floating' | 'shaking' | 'tearing'

export interface PackCoverProps {
  pack: { name: string; nameZh?: string; coverImageUrl: string; coverSources: string; series: string[] }
  state?: PackCoverState
  /** The `sizes` attribute of the image. */
  sizes?: string
  className?: string
}

/** A pack's foil wrapper, or a box for toys. */
export function PackCover({ pack, state = 'still', sizes = '30rem', className }: PackCoverProps) {
  const moving = useMotion()
  const packName = usePackName()
  const src = pack.coverImageUrl
  const art = { src, srcSet: pack.coverSources || undefined, sizes, draggable: false }
  // Masks the light effect, so that it stays on the foil.
  const mask = { '--cover': `url("${src}")` } as CSSProperties
  const kind = isToyPack(pack) ? 'box' : 'foil'
  return (
    <div
      data-kind={kind}
      data-state={state === 'turning' && !moving ? 'still' : state}
      className={cn(styles['cover'], className)}
      style={mask}
    >
      {state !== 'still' && <span aria-hidden className={styles['shadow']} />}
      <div className={styles['pack']}>
        <div className={styles['front']}>
          <Art {...art} alt={packName(pack)} className={styles['art']} />
          <span aria-hidden className={styles['foil']}>
            <span className={styles['light']} />
          </span>
        </div>
        {state === 'turning' && <span aria-hidden className={styles['back']} />}
        {(state === 'floating' || state === 'shaking' || state === 'tearing') && (
          <Art {...art} alt="" className={cn(styles['art'], styles['top'])} />
        )}
      </div>
      {state === 'tearing' && <span aria-hidden className={styles['spill']} />}
    </div>
  )
}
