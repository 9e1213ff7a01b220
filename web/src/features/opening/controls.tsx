import { Volume2, VolumeX, X } from 'lucide-react'
import { useT } from '@/i18n'
import { setSound, useSound } from '@/lib/sound-setting'
import { Button } from '@/components/ui/button'
import { MotionSwitch } from '@/components/ui/motion-switch'

interface ControlsProps {
  /** Whether the stage has a looping animation. */
  turning: boolean
  leave: () => void
}

/** Spotlight, and the motion, sound and close buttons, which stay visible while a stage scrolls. */
export function Controls({ turning, leave }: ControlsProps) {
  const t = useT()
  const sound = useSound()
  const Icon = sound ? Volume2 : VolumeX
  const soundText = sound ? t.shell.settings.soundOff : t.shell.settings.soundOn
  return (
    <div className="sticky top-0 z-10 h-0">
      <span aria-hidden className="showcase-light pointer-events-none absolute inset-x-0 top-0 -z-10 h-dvh" />
      <div className="absolute top-4 right-4 flex gap-1">
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
