import { useEffect, useRef } from 'react'

interface LoopVideoProps {
  name: string
  label: string
  className?: string
}

/** A silent film without end. Who asked for less motion sees its first picture. */
export function LoopVideo({ name, label, className }: LoopVideoProps) {
  const video = useRef<HTMLVideoElement>(null)
  useEffect(() => {
    const calm = window.matchMedia('(prefers-reduced-motion: reduce)')
    const follow = () => {
      if (calm.matches) video.current?.pause()
      // A browser that will not play by itself leaves the poster, which is as good.
      else void video.current?.play()?.catch(() => {})
    }
    follow()
    calm.addEventListener('change', follow)
    return () => calm.removeEventListener('change', follow)
  }, [])
  return (
    <video
      ref={video}
      loop
      muted
      playsInline
      preload="metadata"
      poster={`/${name}.jpg`}
      src={`/${name}.webm`}
      aria-label={label}
      className={className}
    />
  )
}
