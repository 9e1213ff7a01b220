import { Volume2, VolumeX, X, Zap } from 'lucide-react'
import { useT } from '@/i18n'
import { setFastMode, useFastMode } from '@/lib/fast-mode'
import { setSound, useSound } from '@/lib/sound-setting'
import { Button } from '@/components/ui/button'
import { MotionSwitch } from '@/components/ui/motion-switch'
import { Tooltip } from '@/components/ui/tooltip'
import { useOpeningT } from './texts'

interface ControlsProps {
  /** Whether the stage has a looping animation. */
  turning: boolean
  /** Whether fast mode can be switched here. */
  fastMode?: boolean
  leave: () => void
}

/** Spotlight, and the motion, sound and close buttons, which stay visible while a stage scrolls. */
export function Controls({ turning, fastMode = false, leave }: ControlsProps) {
  const t = useT()
  const sound = useSound()
  const Icon = sound ? Volume2 : VolumeX
  const soundText = sound ? t.shell.settings.soundOff : t.shell.settings.soundOn
  return (
    <div className="sticky top-0 z-10 h-0">
      <span aria-hidden className="showcase-light pointer-events-none absolute inset-x-0 top-0 -z-10 h-dvh" />
      <div className="absolute top-4 right-4 flex gap-1">
        {fastMode && <FastModeSwitch />}
        {turning && <MotionSwitch />}
        <Button variant="ghost" size="icon" aria-label={soundText} onClick={() => setSound(!sound)}>
          <Icon aria-hidden />
        </Button>
        <Button variant="ghost" size="icon" aria-label={t.shell.close} onClick={leave}>
          <X aria-hidden />
        </Button>
      </div>
    </div>
  )
}

function FastModeSwitch() {
  const t = useOpeningT().opening
  const fast = useFastMode()
  return (
    <Tooltip text={t.fastModeHelp}>
      <Button
        variant="ghost"
        size="sm"
        role="switch"
        aria-checked={fast}
        onClick={() => setFastMode(!fast)}
        className="h-9 gap-1.5 px-2.5 aria-checked:text-gold-text"
      >
        <Zap aria-hidden fill={fast ? 'currentColor' : 'none'} />
        <span>{t.fastMode}</span>
      </Button>
    </Tooltip>
  )
}
