import { useState } from 'react'
import { cn } from '@/lib/cn'

interface AvatarProps {
  /** The name is also shown as text next to it, so the picture is hidden from screen readers. */
  name: string
  imageUrl?: string
  /** Wallet address of the generated fallback picture. */
  address?: string | null
  className?: string
}

/** Two letters, or one Chinese character. */
function initials(name: string): string {
  const [first = '', second = ''] = name
  return (/\p{Script=Han}/u.test(first) ? first : first + second).toUpperCase()
}

/** The user's picture, else the one generated from the address, else initials. */
export function Avatar({ name, imageUrl, address, className }: AvatarProps) {
  const [failed, setFailed] = useState<readonly string[]>([])
  const drawn = address && `/media/avatars/${address}.svg`
  const shown = [imageUrl, drawn].find((url) => url && !failed.includes(url))
  return (
    <span
      aria-hidden
      className={cn(
        'grid base:size-9 shrink-0 place-items-center overflow-hidden rounded-full border border-line-strong bg-raised base:text-xs font-semibold text-gold-text',
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
