import { useEffect, useRef } from 'react'
import { useMotion } from '@/lib/motion-setting'

interface LoopVideoProps {
  name: string
  label: string
  className?: string
}

/** A silent film without end, as long as pictures may move; else it rests where it is. */
export function LoopVideo({ name, label, className }: LoopVideoProps) {
  const video = useRef<HTMLVideoElement>(null)
  const moving = useMotion()
  useEffect(() => {
    // A browser that will not play by itself leaves the poster, which is as good.
    if (moving) void video.current?.play()?.catch(() => {})
    else video.current?.pause()
  }, [moving])
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
