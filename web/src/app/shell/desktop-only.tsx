import { Monitor } from 'lucide-react'
import { useT } from '@/i18n'

/** Stands above the page below the md width. Pages made for a desktop alone hide themselves on a small device. */
export function DesktopOnly() {
  const t = useT()
  return (
    <p className="flex items-center justify-center gap-2 border-b bg-card px-4 py-2 text-sm text-balance text-muted-foreground md:hidden">
      <Monitor aria-hidden className="size-4 shrink-0 text-gold-text" />
      {t.shell.desktopOnly}
    </p>
  )
}
