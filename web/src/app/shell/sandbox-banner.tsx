import { FlaskConical } from 'lucide-react'
import { useT } from '@/i18n'

/** Shown on every page in test mode, so that nobody mistakes its points for money. */
export function SandboxBanner() {
  const t = useT().shell.sandbox
  return (
    <section
      aria-label={t.label}
      className="flex items-center justify-center gap-2 bg-warning px-4 py-1.5 text-xs font-medium text-warning-foreground"
    >
      <FlaskConical aria-hidden className="size-3.5 shrink-0" />
      <p>{t.text}</p>
    </section>
  )
}
