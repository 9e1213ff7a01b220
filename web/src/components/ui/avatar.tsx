import { useState } from 'react'
import { cn } from '@/lib/cn'

interface AvatarProps {
  /** Shown beside it as text, so the picture itself says nothing. */
  name: string
  imageUrl?: string
  /** Whose drawn picture stands in for a picture of their own. */
  address?: string | null
  className?: string
}

/** Two letters, or one that is as wide as two. */
function initials(name: string): string {
  const [first = '', second = ''] = name
  return (/\p{Script=Han}/u.test(first) ? first : first + second).toUpperCase()
}

/** The person's picture, the one drawn from their address, or the first letters of the name. */
export function Avatar({ name, imageUrl, address, className }: AvatarProps) {
  const [failed, setFailed] = useState<readonly string[]>([])
  const drawn = address && `/media/avatars/${address}.svg`
  const shown = [imageUrl, drawn].find((url) => url && !failed.includes(url))
  return (
    <span
      aria-hidden
      className={cn(
        'grid size-9 shrink-0 place-items-center overflow-hidden rounded-full border border-line-strong bg-raised text-xs font-semibold text-gold-text',
        className,
      )}
    >
      {shown ? (
        <img src={shown} alt="" className="size-full object-cover" onError={() => setFailed([...failed, shown])} />
      ) : (
        initials(name)
      )}
    </span>
  )
}
