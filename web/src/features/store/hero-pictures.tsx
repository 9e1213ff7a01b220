import { useEffect, useState } from 'react'
import { storeTexts } from './texts'
import { cn } from '@/lib/cn'
import { useMotion } from '@/lib/motion-setting'
import { useIdleTurn } from '@/lib/idle'
import { MotionSwitch } from '@/components/ui/motion-switch'

const pictures = ['/hero-1', '/hero-2']
const rotationMs = 10_000

/** Rotates two pictures every ten seconds unless paused. Picking one with a dot restarts the timer. */
export function HeroPictures() {
  const t = storeTexts.useT().home
  const [shown, setShown] = useState(0)
  const moving = useMotion()
  // The second picture isn't visible at first.
  const [second, done] = useIdleTurn(true)
  useEffect(() => {
    if (!moving) return
    const timer = setTimeout(() => setShown((shown + 1) % pictures.length), rotationMs)
    return () => clearTimeout(timer)
  }, [shown, moving])
  return (
    <section aria-label={t.hero}>
      <div className="panel relative aspect-[4/3] overflow-hidden rounded-3xl spotlight">
        {pictures.map((picture, index) => (
          <img
            key={picture}
            srcSet={index === 0 || second || index === shown ? `${picture}-1x.webp, ${picture}-2x.webp 2x` : undefined}
            alt={t.heroPictures[index] ?? ''}
            aria-hidden={index !== shown}
            fetchPriority={index === 0 ? 'high' : 'low'}
            onLoad={() => index > 0 && done()}
            className={cn(
              'absolute inset-0 size-full object-cover will-change-[opacity] transition-opacity duration-1000 motion-reduce:transition-none',
              index !== shown && 'opacity-0',
            )}
            onError={(event) => {
              event.currentTarget.hidden = true
            }}
          />
        ))}
      </div>
      <div className="mt-3 flex h-9 items-center justify-center">
        {pictures.map((picture, index) => (
          <button
            key={picture}
            type="button"
            aria-label={t.pickPicture(index + 1)}
            aria-pressed={index === shown}
            onClick={() => setShown(index)}
            className="group grid size-8 place-items-center rounded-full"
          >
            <span className="h-1.5 w-1.5 rounded-full bg-line-strong transition-[width,background-color] duration-300 group-hover:bg-muted-foreground group-aria-pressed:w-6 group-aria-pressed:bg-gold" />
          </button>
        ))}
        <MotionSwitch />
      </div>
    </section>
  )
}
