import { Link } from '@tanstack/react-router'
import { useT } from '@/i18n'
import { config } from '@/lib/config'

export function Footer() {
  const t = useT().shell
  const links = [
    ['/help', t.nav.help],
    ['/fairness', t.nav.fairness],
    ['/books', t.books],
    ['/rules', t.rules],
    ['/limits', t.nav.limits],
    ['/verify', t.nav.verify],
  ] as const
  return (
    <footer className="mx-auto flex w-full max-w-7xl flex-wrap items-baseline gap-x-4 gap-y-2 px-4 pt-10 pb-6 text-xs text-muted-foreground md:px-8">
      <p className="basis-full 2xl:flex-1">{`${t.footer}${t.unaffiliated}`}</p>
      <p className="flex flex-wrap gap-4 whitespace-nowrap">
        {links.map(([to, text]) => (
          <Link key={to} to={to} className="underline-offset-4 hover:text-foreground hover:underline">
            {text}
          </Link>
        ))}
      </p>
      <p className="ml-auto whitespace-nowrap tabular-nums 2xl:ml-0">{t.version(config.version)}</p>
    </footer>
  )
}
