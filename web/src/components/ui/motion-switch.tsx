import { Pause, Play } from 'lucide-react'
import type { ComponentProps } from 'react'
import { useT } from '@/i18n'
import { setMotion, useMotion } from '@/lib/motion-setting'
import { Button } from './button'
import { Tooltip } from './tooltip'

/** Pauses endless animations. Placed next to each of them. */
export function MotionSwitch(props: Pick<ComponentProps<typeof Button>, 'variant' | 'className'>) {
  const t = useT().shell.settings
  const moving = useMotion()
  const label = moving ? t.pauseMotion : t.playMotion
  const Icon = moving ? Pause : Play
  return (
    <Tooltip text={label}>
      <Button variant="ghost" size="icon" aria-label={label} onClick={() => setMotion(!moving)} {...props}>
        <Icon aria-hidden />
      </Button>
    </Tooltip>
  )
}
