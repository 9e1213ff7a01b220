import { Link, useLocation } from '@tanstack/react-router'
import {
  Coins,
  FileSearch,
  GalleryVerticalEnd,
  House,
  type LucideIcon,
  Map,
  PackageOpen,
  Rabbit,
  Scale,
  ScrollText,
  ShieldUser,
  Store,
  Trophy,
  Vault,
  WalletCards,
} from 'lucide-react'
import { useT } from '@/i18n'
import { cn } from '@/lib/cn'
import { useSession } from '@/lib/session'
import { Badge } from '@/ui/badge'
import { Tooltip } from '@/ui/tooltip'
import { type PageName, pages } from './pages'

interface Entry {
  page: PageName
  icon: LucideIcon
  isNew?: true
}

const groups: { label: 'groupMain' | 'groupExplore' | 'groupYours'; entries: Entry[] }[] = [
  {
    label: 'groupMain',
    entries: [
      { page: 'home', icon: House },
      { page: 'packs', icon: PackageOpen },
      { page: 'vault', icon: Vault },
      { page: 'topUp', icon: Coins },
    ],
  },
  {
    label: 'groupExplore',
    entries: [
      { page: 'marketplace', icon: Store },
      { page: 'leaderboard', icon: Trophy },
      { page: 'roadmap', icon: Map },
      { page: 'labubus', icon: Rabbit, isNew: true },
      { page: 'fairness', icon: Scale },
      { page: 'verify', icon: FileSearch },
    ],
  },
  {
    label: 'groupYours',
    entries: [
      { page: 'myCollection', icon: GalleryVerticalEnd },
      { page: 'myCards', icon: WalletCards },
      { page: 'myOpens', icon: ScrollText },
    ],
  },
]

const adminEntry: Entry = { page: 'admin', icon: ShieldUser }

/** The groups, the last one with the way to the admin page for who may go there. */
function useGroups() {
  const { user } = useSession()
  if (user?.role !== 'admin') return groups
  return groups.map((group, at) =>
    at === groups.length - 1 ? { ...group, entries: [...group.entries, adminEntry] } : group,
  )
}

export function Nav({ expanded }: { expanded: boolean }) {
  const t = useT().shell.nav
  return (
    <nav aria-label={t.label} className="space-y-4 px-3 py-2">
      {useGroups().map((group) => (
        <section key={group.label} aria-label={t[group.label]}>
          {expanded && <h2 className="eyebrow mb-1.5 px-3 text-[0.6875rem]">{t[group.label]}</h2>}
          <ul className="space-y-0.5">
            {group.entries.map((entry) => (
              <li key={entry.page}>
                <NavLink entry={entry} label={t[entry.page]} expanded={expanded} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  )
}

function NavLink({ entry, label, expanded }: { entry: Entry; label: string; expanded: boolean }) {
  const pathname = useLocation({ select: (location) => location.pathname })
  const t = useT().shell.nav
  const Icon = entry.icon
  const link = (
    <Link
      to={pages[entry.page]}
      aria-current={isHome(entry, pathname) ? 'page' : undefined}
      className={cn(
        'relative flex h-8 items-center gap-3 rounded-lg px-3 text-sm font-medium text-muted-foreground transition-colors hover:bg-muted hover:text-foreground aria-[current=page]:bg-muted aria-[current=page]:text-foreground aria-[current=page]:before:absolute aria-[current=page]:before:inset-y-2 aria-[current=page]:before:left-0 aria-[current=page]:before:w-0.5 aria-[current=page]:before:rounded-full aria-[current=page]:before:bg-gold [&[aria-current=page]_svg]:text-gold-text',
        !expanded && 'justify-center px-0',
      )}
    >
      <Icon aria-hidden className="size-[1.125rem] shrink-0" />
      <span className={cn(!expanded && 'sr-only')}>{label}</span>
      {entry.isNew && expanded && (
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

/** The start page has two addresses, `/` and `/app`. */
function isHome(entry: Entry, pathname: string): boolean {
  return entry.page === 'home' && pathname === '/'
}
