import { Link } from '@tanstack/react-router'
import { cn } from '@/lib/cn'

interface HandleLinkProps {
  handle: string
  className?: string
}

/** A user's @handle, linked to their public profile. Stacked above the card's own link. */
export function HandleLink({ handle, className }: HandleLinkProps) {
  return (
    <Link
      to="/u/$handle"
      params={{ handle }}
      className={cn(
        'relative z-1 rounded-sm base:text-muted-foreground underline-offset-4 hover:text-gold-text hover:underline',
        className,
      )}
    >
      {`@${handle}`}
    </Link>
  )
}
