import { Link } from '@tanstack/react-router'
import { PanelLeftClose, PanelLeftOpen } from 'lucide-react'
import { useT } from '@/i18n'
import { cn } from '@/lib/cn'
import { Button } from '@/components/ui/button'
import { Logo } from '@/components/ui/logo'
import { ScrollArea } from '@/components/ui/scroll-area'
import { Tooltip } from '@/components/ui/tooltip'
import { Nav } from './nav'
import { Settings } from './settings'
import { UserBlock } from './user-block'

interface SidebarProps {
  expanded: boolean
  onToggle: () => void
}

export function Sidebar({ expanded, onToggle }: SidebarProps) {
  const t = useT().shell
  return (
    <aside
      className={cn(
        'sticky top-0 flex h-dvh shrink-0 flex-col overflow-x-hidden overflow-y-auto border-r bg-card transition-[width] duration-200 [scrollbar-width:thin] motion-reduce:transition-none',
        expanded ? 'w-64' : 'w-[4.75rem]',
      )}
    >
      <div className={cn('flex items-center p-4', expanded ? 'justify-between' : 'flex-col gap-3')}>
        <Link to="/app" aria-label={t.nav.logo} className="rounded-lg">
          <Logo expanded={expanded} />
        </Link>
        <Toggle expanded={expanded} onToggle={onToggle} />
      </div>
      {/* In a window too low for all of it the sidebar scrolls, and the ways to the pages keep a place of their own. */}
      <ScrollArea className="min-h-40 flex-1">
        <Nav expanded={expanded} />
      </ScrollArea>
      <UserBlock expanded={expanded} />
      <Settings expanded={expanded} />
    </aside>
  )
}

function Toggle({ expanded, onToggle }: SidebarProps) {
  const t = useT().shell.nav
  const label = expanded ? t.collapse : t.expand
  return (
    <Tooltip text={label} side="right">
      <Button variant="ghost" size="icon" aria-label={label} aria-expanded={expanded} onClick={onToggle}>
        {expanded ? <PanelLeftClose aria-hidden /> : <PanelLeftOpen aria-hidden />}
      </Button>
    </Tooltip>
  )
}
