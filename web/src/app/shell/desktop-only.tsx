import { Monitor } from 'lucide-react'
import { useLocation } from '@tanstack/react-router'
import { useT } from '@/i18n'

/** Stands above the page below the md width, where store, pack and landing are hidden. Shared links open on phones, so their pages are without it. */
export function DesktopOnly() {
  const t = useT()
  const shared = useLocation({ select: ({ pathname }) => /^\/(pull|u)\//.test(pathname) })
  if (shared) return null
  return (
    <p className="flex items-center justify-center gap-2 border-b bg-card px-4 py-2 text-sm text-balance text-muted-foreground md:hidden print:hidden">
      <Monitor aria-hidden className="size-4 shrink-0 text-gold-text" />
      <span>{t.shell.desktopOnly}</span>
    </p>
  )
}
