import { useOpeningT } from './texts'
import type { Pack } from '@/contract/types'
import { PackCover } from '@/components/pack-cover'
import { Stage } from './stage'

interface AnimationStageProps {
  pack: Pack
  /** The response has arrived, so the pack may tear. */
  tearing: boolean
  skip: () => void
}

export function AnimationStage({ pack, tearing, skip }: AnimationStageProps) {
  const t = useOpeningT().opening.animation
  return (
    <Stage skip={skip} className="overflow-hidden">
      <div className="grid justify-items-center gap-10">
        <PackCover pack={pack} state={tearing ? 'tearing' : 'shaking'} className="w-[min(30rem,48dvh)]" />
        <p className="text-lg text-muted-foreground">{t.text}</p>
      </div>
    </Stage>
  )
}
