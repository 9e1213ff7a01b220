import { Languages, LogOut, Moon, Sun, Volume2, VolumeX } from 'lucide-react'
import type { ReactNode } from 'react'
import { setLanguage, useLanguage, useT } from '@/i18n'
import { cn } from '@/lib/cn'
import { useSession } from '@/lib/session'
import { setSound, useSound } from '@/lib/sound-setting'
import { setTheme, useTheme } from '@/lib/theme'
import { Button } from '@/components/ui/button'
import { Tooltip } from '@/components/ui/tooltip'

/** Theme, language, sound and the way out. */
export function Settings({ expanded }: { expanded: boolean }) {
  const t = useT().shell
  const { status, logout } = useSession()
  return (
    <div className={cn('flex items-center border-t px-3 py-2', expanded ? 'justify-between' : 'flex-col gap-1')}>
      <ThemeSwitch />
      <LanguageSwitch />
      <SoundSwitch />
      {status === 'signed-in' && (
        <IconButton label={t.user.logOut} onClick={() => void logout()}>
          <LogOut aria-hidden />
        </IconButton>
      )}
    </div>
  )
}

function ThemeSwitch() {
  const t = useT().shell.settings
  const theme = useTheme()
  return theme === 'dark' ? (
    <IconButton label={t.toLight} onClick={() => setTheme('light')}>
      <Sun aria-hidden />
    </IconButton>
  ) : (
    <IconButton label={t.toDark} onClick={() => setTheme('dark')}>
      <Moon aria-hidden />
    </IconButton>
  )
}

function LanguageSwitch() {
  const t = useT().shell.settings
  const language = useLanguage()
  return (
    <IconButton label={t.toOther} onClick={() => void setLanguage(language === 'en' ? 'zh' : 'en')}>
      <Languages aria-hidden />
    </IconButton>
  )
}

function SoundSwitch() {
  const t = useT().shell.settings
  const on = useSound()
  return (
    <IconButton label={on ? t.soundOff : t.soundOn} onClick={() => setSound(!on)}>
      {on ? <Volume2 aria-hidden /> : <VolumeX aria-hidden />}
    </IconButton>
  )
}

interface IconButtonProps {
  label: string
  onClick: () => void
  children: ReactNode
}

function IconButton({ label, onClick, children }: IconButtonProps) {
  return (
    <Tooltip text={label} side="right">
      <Button variant="ghost" size="icon" aria-label={label} onClick={onClick}>
        {children}
      </Button>
    </Tooltip>
  )
}
