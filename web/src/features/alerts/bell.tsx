import { Link } from '@tanstack/react-router'
import { Bell as BellIcon } from 'lucide-react'
import { useUnread } from '@/api/alerts'
import { number } from '@/lib/format'
import { Button } from '@/components/ui/button'
import { Tooltip } from '@/components/ui/tooltip'
import { alertsTexts } from './texts'

const maxShown = 9

/** Links to the alerts; shows the number of new ones. */
export default function Bell() {
  const t = alertsTexts.useT()
  const { data: unread = 0 } = useUnread()
  const label = unread === 0 ? t.bell : t.unread(number(unread))
  return (
    <Tooltip text={label} side="right">
      <Button asChild variant="ghost" size="icon" className="relative shrink-0">
        <Link to="/alerts" aria-label={label}>
          <BellIcon aria-hidden />
          {unread > 0 && (
            <span
              aria-hidden
              className="absolute -top-0.5 -right-0.5 grid h-4 min-w-4 place-items-center rounded-full bg-gold px-1 text-[0.625rem] leading-none font-semibold text-gold-foreground tabular-nums"
            >
              {unread > maxShown ? `${maxShown}+` : unread}
            </span>
          )}
        </Link>
      </Button>
    </Tooltip>
  )
}
