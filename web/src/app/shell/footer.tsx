import { useT } from '@/i18n'
import { config } from '@/lib/config'

export function Footer() {
  const t = useT().shell
  return (
    <footer className="mx-auto flex w-full max-w-7xl items-baseline gap-x-4 px-8 pt-10 pb-6 text-xs text-muted-foreground">
      <p>
        {t.footer}
        {t.unaffiliated}
      </p>
      <p className="ml-auto whitespace-nowrap tabular-nums">{t.version(config.version)}</p>
    </footer>
  )
}
