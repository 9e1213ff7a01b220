import { useState } from 'react'
import { demoTexts } from './texts'
import type { Item, Pack } from '@/lib/contract/types'
import { cn } from '@/lib/cn'
import { dollars } from '@/lib/format'
import { Button } from '@/ui/button'
import { CertificateLink } from '@/domain/certificate-link'
import { PackCover } from '@/domain/pack-cover'
import { RarityBadge } from '@/domain/rarity-badge'
import { Slab } from '@/domain/slab'
import { Stage } from '../stage'

/** The pack that a prompt of its own was written for. */
const labubuBox = 'Labubu Base Box'

export function DemoIntro({ pack, rip }: { pack: Pack; rip: () => void }) {
  const t = demoTexts.useT()
  return (
    <Stage>
      <div className="grid w-full max-w-4xl items-center gap-x-20 gap-y-10 lg:grid-cols-[1fr_24rem]">
        <PackCover pack={pack} state="turning" className="mx-auto w-[min(28rem,46dvh)]" />
        <div>
          <h2 className="text-4xl font-semibold tracking-tight">{pack.name}</h2>
          <p className="mt-2 text-lg text-balance text-muted-foreground">
            {pack.name === labubuBox ? t.labubuPrompt : t.prompt}
          </p>
          <Button size="lg" className="mt-8 w-full" onClick={rip}>
            {t.rip}
          </Button>
          <p className="mt-3 text-center text-[0.8125rem] text-pretty text-muted-foreground">{t.uniform}</p>
        </div>
      </div>
    </Stage>
  )
}

interface DemoAnimationProps {
  pack: Pack
  tearing: boolean
  skip: () => void
}

export function DemoAnimation({ pack, tearing, skip }: DemoAnimationProps) {
  const t = demoTexts.useT()
  return (
    <Stage skip={skip} className="overflow-hidden">
      <div className="grid justify-items-center gap-10">
        <PackCover pack={pack} state={tearing ? 'tearing' : 'shaking'} className="w-[min(28rem,46dvh)]" />
        <p className="text-lg text-muted-foreground">{t.opening}</p>
      </div>
    </Stage>
  )
}

interface DemoRevealProps {
  pack: Pack
  item: Item
  close: () => void
}

export function DemoReveal({ pack, item, close }: DemoRevealProps) {
  const t = demoTexts.useT()
  const [large, setLarge] = useState(false)
  const toy = pack.series.some((series) => series.startsWith('Labubu'))
  return (
    <Stage className="overflow-x-hidden">
      <div className={cn('grid w-full max-w-5xl items-center gap-x-16 gap-y-8', !large && 'lg:grid-cols-[1fr_26rem]')}>
        <button
          type="button"
          aria-label={large ? t.shrink : t.enlarge}
          aria-pressed={large}
          onClick={() => setLarge(!large)}
          className={cn(
            'mx-auto rounded-2xl',
            large ? 'w-[min(44rem,56dvh)] cursor-zoom-out' : 'w-[min(26rem,42dvh)] cursor-zoom-in',
          )}
        >
          <Slab item={item} glow loading="eager" />
        </button>
        <div className={cn(large && 'mx-auto max-w-md text-center')}>
          <RarityBadge rarity={item.rarity} size="lg" />
          <h2 className="mt-3 text-2xl leading-snug font-semibold text-balance">{item.name}</h2>
          <p className="mt-1 text-muted-foreground">{item.series}</p>
          <CertificateLink certType={item.certType} certNumber={item.certNumber} className="mt-2" />
          <dl className="mt-5">
            <dt className="text-sm text-muted-foreground">{toy ? t.marketValue : t.price}</dt>
            <dd className="text-3xl font-semibold tabular-nums">{dollars(item.baseValueCents)}</dd>
          </dl>
          <p className="mt-5 text-sm text-muted-foreground">{t.note}</p>
          <Button size="lg" variant="secondary" className="mt-5 w-full max-w-xs" onClick={close}>
            {t.back}
          </Button>
        </div>
      </div>
    </Stage>
  )
}
