import { useOpeningT } from './texts'
import type { Pack } from '@/contract/types'
import { PackCover } from '@/components/pack-cover'
import { Button } from '@/components/ui/button'
import { isUnknown, type Run } from './run'
import { Stage } from './stage'

interface AnimationStageProps {
  pack: Pack
  /** The responses have arrived, so the pack may tear. */
  tearing: boolean
  run: Run | null
  skip: (() => void) | undefined
  skipText: string | undefined
  /** Shows what has been opened instead of waiting for an answer. */
  stopWaiting: () => void
}

export function AnimationStage({ pack, tearing, run, skip, skipText, stopWaiting }: AnimationStageProps) {
  const t = useOpeningT().opening
  const several = run !== null && run.quantity > 1
  const unknown = several && isUnknown(run)
  return (
    <Stage skip={skip} skipText={skipText} className="overflow-hidden">
      <div className="grid justify-items-center gap-10">
        <PackCover pack={pack} state={tearing ? 'tearing' : 'shaking'} className="w-[min(30rem,48dvh)]" />
        <div className="grid justify-items-center gap-1 text-center">
          <p className="text-lg text-muted-foreground">{t.animation.text}</p>
          {several && (
            <p aria-hidden className="min-h-6 tabular-nums">
              {unknown ? t.run.checking(run.opened.length) : t.animation.progress(run.opened.length, run.quantity)}
            </p>
          )}
          {unknown && (
            <>
              <p className="max-w-md text-sm text-muted-foreground">{t.run.checkingHelp}</p>
              {/* Above the button that covers the stage. */}
              <Button variant="secondary" className="relative z-10 mt-3" onClick={stopWaiting}>
                {t.run.stopWaiting}
              </Button>
            </>
          )}
        </div>
      </div>
    </Stage>
  )
}
