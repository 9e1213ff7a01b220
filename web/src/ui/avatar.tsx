import { useState } from 'react'
import { cn } from '@/lib/cn'

interface AvatarProps {
  /** Shown beside it as text, so the picture itself says nothing. */
  name: string
  imageUrl?: string
  className?: string
}

/** The person's picture, or the first letters of the name. */
export function Avatar({ name, imageUrl, className }: AvatarProps) {
  const [failed, setFailed] = useState<string>()
  return (
    <span
      aria-hidden
      className={cn(
        'grid size-9 shrink-0 place-items-center overflow-hidden rounded-full border border-line-strong bg-raised text-xs font-semibold text-gold-text',
        className,
      )}
    >
      {imageUrl && imageUrl !== failed ? (
        <img src={imageUrl} alt="" className="size-full object-cover" onError={() => setFailed(imageUrl)} />
      ) : (
        name.slice(0, 2).toUpperCase()
      )}
    </span>
  )
}
