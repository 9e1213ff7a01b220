import { type ComponentProps, useState } from 'react'
import { cn } from '@/lib/cn'
import { useIdleTurn } from '@/lib/idle'

/** `idle` images load one after the other while the browser is idle. */
export type ArtLoading = 'eager' | 'lazy' | 'idle'

interface ArtProps extends Omit<ComponentProps<'img'>, 'onError' | 'onLoad' | 'loading'> {
  alt: string
  loading?: ArtLoading | undefined
}

/** An image with a drawn placeholder of the same size, while it waits and if it fails to load. */
export function Art({ className, alt, src, loading, ...rest }: ArtProps) {
  const [failed, setFailed] = useState<string>()
  const [ready, done] = useIdleTurn(loading === 'idle')
  if (src && ready && failed !== src) {
    return (
      <img
        src={src}
        alt={alt}
        loading={loading === 'idle' ? 'eager' : loading}
        className={className}
        onLoad={done}
        onError={() => {
          setFailed(src)
          done()
        }}
        {...rest}
      />
    )
  }
  return (
    <svg
      role={alt ? 'img' : undefined}
      aria-label={alt || undefined}
      aria-hidden={alt ? undefined : true}
      viewBox="0 0 500 820"
      className={cn('text-muted-foreground', className)}
    >
      <rect
        x="40"
        y="40"
        width="420"
        height="740"
        rx="28"
        fill="var(--muted)"
        stroke="var(--line-strong)"
        strokeWidth="3"
      />
      <rect x="75" y="75" width="350" height="110" rx="12" fill="var(--card)" stroke="var(--line)" strokeWidth="2" />
      <rect x="75" y="220" width="350" height="520" rx="16" fill="var(--card)" stroke="var(--line)" strokeWidth="2" />
      <path
        d="m250 395 22 46 50 6-37 35 10 50-45-25-45 25 10-50-37-35 50-6z"
        fill="none"
        stroke="currentColor"
        strokeOpacity=".5"
        strokeWidth="5"
        strokeLinejoin="round"
      />
    </svg>
  )
}
