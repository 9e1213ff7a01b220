import { Link } from '@tanstack/react-router'
import { useT } from '@/i18n'
import { config } from '@/lib/config'

export function Footer() {
  const t = useT().shell
  return (
    <footer className="mx-auto flex w-full max-w-7xl items-baseline gap-x-4 px-4 pt-10 pb-6 text-xs text-muted-foreground md:px-8">
      <p>
        {t.footer}
        {t.unaffiliated}
      </p>
      <p className="ml-auto flex gap-4 whitespace-nowrap">
        <Link to="/fairness" className="underline-offset-4 hover:text-foreground hover:underline">
          {t.fairness}
        </Link>
        <Link to="/verify" className="underline-offset-4 hover:text-foreground hover:underline">
          {t.checkProof}
        </Link>
      </p>
      <p className="whitespace-nowrap tabular-nums">{t.version(config.version)}</p>
    </footer>
  )
}
