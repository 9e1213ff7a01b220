import { Monitor } from 'lucide-react'
import { useT } from '@/i18n'
import { Logo } from './logo'

/** All there is on a screen narrower than md. */
export function DesktopOnly() {
  const t = useT()
  return (
    <div className="showcase-light grid min-h-dvh place-items-center p-8 md:hidden">
      <div className="flex max-w-xs flex-col items-center gap-6 text-center">
        <Logo expanded />
        <Monitor aria-hidden className="size-10 text-gold-text" />
        <p className="text-balance text-muted-foreground">{t.shell.desktopOnly}</p>
      </div>
    </div>
  )
}
