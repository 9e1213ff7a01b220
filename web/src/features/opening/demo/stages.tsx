import { useState } from 'react'
import { openingTexts } from '../texts'
import { useT } from '@/i18n'
import { usePackName } from '@/i18n/names'
import { errorText } from '@/i18n/error-text'
import type { DemoPull, Pack } from '@/contract/types'
import { cn } from '@/lib/cn'
import { config } from '@/lib/config'
import { dollars } from '@/lib/format'
import { Button } from '@/components/ui/button'
import { Facts } from '@/components/ui/facts'
import { ItemText } from '@/components/item-card'
import { InlineError } from '@/components/ui/inline-error'
import { isToyPack } from '@/components/categories'
import { PackCover } from '@/components/pack-cover'
import { Slab } from '@/components/slab'
import { Stage } from '../stage'
import { realChance } from './real-chance'

/** The pack with its own prompt. */
const labubuBox = 'Labubu Base Box'

interface DemoIntroProps {
  pack: Pack
  /** The error of the last attempt. */
  error: Error | null
  rip: () => void
}

export function DemoIntro({ pack, error, rip }: DemoIntroProps) {
  const texts = useT()
  const t = openingTexts.useT().demo
  const packName = usePackName()
  return (
    <Stage>
      <div className="grid w-full max-w-4xl items-center gap-x-20 gap-y-10 lg:grid-cols-[1fr_24rem]">
        <PackCover pack={pack} state="turning" className="mx-auto w-[min(28rem,46dvh)]" />
        <div>
          <h2 className="text-4xl font-semibold tracking-tight">{packName(pack)}</h2>
          <p className="mt-2 text-lg text-balance text-muted-foreground">
            {pack.name === labubuBox ? t.labubuPrompt : t.prompt}
          </p>
          {error ? (
            <InlineError text={t.failed(errorText(error, texts))} retry={rip} className="mt-8 text-base" />
          ) : (
            <Button size="lg" className="mt-8 w-full" onClick={rip}>
              {t.rip}
            </Button>
          )}
          <p className="mt-3 text-center text-[0.8125rem] text-pretty text-muted-foreground">
            {t.odds[config.rules.demo]}
          </p>
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
  const t = openingTexts.useT().demo
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
  pull: DemoPull
  close: () => void
}

export function DemoReveal({ pack, pull: { item, chance }, close }: DemoRevealProps) {
  const t = openingTexts.useT().demo
  const [large, setLarge] = useState(false)
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
          <ItemText item={item} level={2} size="large">
            <Facts
              layout="stacks"
              className="mt-5"
              facts={[
                {
                  label: isToyPack(pack) ? t.marketValue : t.price,
                  value: dollars(item.baseValueCents),
                  className: 'text-3xl',
                },
              ]}
            />
          </ItemText>
          <p className="mt-5">{realChance(chance, pack, t)}</p>
          <p className="mt-2 text-sm text-muted-foreground">{t.note}</p>
          <Button size="lg" variant="secondary" className="mt-5 w-full max-w-xs" onClick={close}>
            {t.back}
          </Button>
        </div>
      </div>
    </Stage>
  )
}
