import { Link, type LinkProps, useLocation } from '@tanstack/react-router'
import { Coins, GalleryVerticalEnd, House, type LucideIcon, PackageOpen, ScrollText } from 'lucide-react'
import { useT } from '@/i18n'
import { cn } from '@/lib/cn'
import { Tooltip } from '@/ui/tooltip'

interface Entry {
  to: NonNullable<LinkProps['to']>
  icon: LucideIcon
  label: 'home' | 'packs' | 'topUp' | 'myCollection' | 'myOpens'
}

const groups: { label: 'groupMain' | 'groupExplore'; entries: Entry[] }[] = [
  {
    label: 'groupMain',
    entries: [
      { to: '/app', icon: House, label: 'home' },
      { to: '/open-packs', icon: PackageOpen, label: 'packs' },
      { to: '/topup', icon: Coins, label: 'topUp' },
    ],
  },
  {
    label: 'groupExplore',
    entries: [
      { to: '/my-collection', icon: GalleryVerticalEnd, label: 'myCollection' },
      { to: '/my-opens', icon: ScrollText, label: 'myOpens' },
    ],
  },
]

export function Nav({ expanded }: { expanded: boolean }) {
  const t = useT().shell.nav
  return (
    <nav aria-label={t.label} className="space-y-6 px-3 py-2">
      {groups.map((group) => (
        <section key={group.label} aria-label={t[group.label]}>
          {expanded && <h2 className="eyebrow mb-1.5 px-3 text-[0.6875rem]">{t[group.label]}</h2>}
          <ul className="space-y-0.5">
            {group.entries.map((entry) => (
              <li key={entry.to}>
                <NavLink entry={entry} label={t[entry.label]} expanded={expanded} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  )
}

function NavLink({ entry, label, expanded }: { entry: Entry; label: string; expanded: boolean }) {
  const { pathname } = useLocation()
  const Icon = entry.icon
  const link = (
    <Link
      to={entry.to}
      aria-current={isHome(entry, pathname) ? 'page' : undefined}
      className={cn(
        'relative flex h-10 items-center gap-3 rounded-lg px-3 text-sm font-medium text-muted-foreground transition-colors hover:bg-muted hover:text-foreground aria-[current=page]:bg-muted aria-[current=page]:text-foreground aria-[current=page]:before:absolute aria-[current=page]:before:inset-y-2.5 aria-[current=page]:before:left-0 aria-[current=page]:before:w-0.5 aria-[current=page]:before:rounded-full aria-[current=page]:before:bg-gold [&[aria-current=page]_svg]:text-gold-text',
        !expanded && 'justify-center px-0',
      )}
    >
      <Icon aria-hidden className="size-[1.125rem] shrink-0" />
      <span className={cn(!expanded && 'sr-only')}>{label}</span>
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

/** The start page has two addresses, `/` and `/app`. */
function isHome(entry: Entry, pathname: string): boolean {
  return entry.to === '/app' && pathname === '/'
}
