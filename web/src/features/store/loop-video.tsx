import { useEffect, useRef } from 'react'
import { useMotion } from '@/lib/motion-setting'

interface LoopVideoProps {
  name: string
  label: string
  className?: string
}

/** A muted, looping video; paused while animations are off. */
export function LoopVideo({ name, label, className }: LoopVideoProps) {
  const video = useRef<HTMLVideoElement>(null)
  const moving = useMotion()
  useEffect(() => {
    // If autoplay is blocked, the poster stays.
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
