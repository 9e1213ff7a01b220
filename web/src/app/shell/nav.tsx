import { Link, useLocation } from '@tanstack/react-router'
import { useT } from '@/i18n'
import { cn } from '@/lib/cn'
import { useSession } from '@/lib/session'
import { Badge } from '@/components/ui/badge'
import { Tooltip } from '@/components/ui/tooltip'
import { navPagesFor } from '../pages'

const groups = ['groupMain', 'groupExplore', 'groupYours'] as const

type Place = ReturnType<typeof navPagesFor>[number]

export function Nav({ expanded }: { expanded: boolean }) {
  const t = useT().shell.nav
  const { user } = useSession()
  const places = navPagesFor(user?.role === 'admin')
  return (
    <nav aria-label={t.label} className="space-y-4 px-3 py-2">
      {groups.map((group) => (
        <section key={group} aria-label={t[group]}>
          {expanded && <h2 className="eyebrow mb-1.5 px-3 text-[0.6875rem]">{t[group]}</h2>}
          <ul className="space-y-0.5">
            {places
              .filter(([, { nav }]) => nav.group === group)
              .map((place) => (
                <li key={place[0]}>
                  <NavLink place={place} expanded={expanded} />
                </li>
              ))}
          </ul>
        </section>
      ))}
    </nav>
  )
}

function NavLink({ place: [name, { path, nav }], expanded }: { place: Place; expanded: boolean }) {
  const pathname = useLocation({ select: (location) => location.pathname })
  const t = useT().shell.nav
  const label = t[name]
  const Icon = nav.icon
  const link = (
    <Link
      to={path}
      // The start page has two addresses.
      aria-current={name === 'home' && pathname === '/' ? 'page' : undefined}
      className={cn(
        'way relative flex h-8 items-center gap-3 rounded-lg text-sm font-medium',
        expanded ? 'px-3' : 'justify-center',
      )}
    >
      <Icon aria-hidden className="size-[1.125rem] shrink-0" />
      <span className={cn(!expanded && 'sr-only')}>{label}</span>
      {nav.isNew && expanded && (
        <Badge variant="gold" className="ml-auto">
          {t.new}
        </Badge>
      )}
    </Link>
  )
  return expanded ? (
    link
  ) : (
    <Tooltip text={label} side="right">
      {link}
    </Tooltip>
  )
}
