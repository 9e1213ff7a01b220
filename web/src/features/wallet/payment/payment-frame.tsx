import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLanguage } from '@/i18n'
import { cn } from '@/lib/cn'
import { config } from '@/lib/config'
import { useTheme } from '@/lib/theme'
import { Spinner } from '@/components/ui/spinner'
import { walletTexts } from '../texts'
import { type FrameEvent, frameEventOf } from './frame-event'

/** A frame that hasn't reported its widget by then counts as unavailable. */
const loadTimeoutMs = 30_000
/**
 * The provider's script runs in the frame, so the frame must never have our origin. Served by us, its origin is opaque
 * ("null"). Wallets need a real origin, so production serves the frame from another host.
 */
const { paymentOrigin } = config
const frameOrigin = paymentOrigin || 'null'
const sandbox = paymentOrigin
  ? 'allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox'
  : 'allow-scripts'
const heights = { min: 200, max: 1200, initial: 280 }

interface PaymentFrameProps {
  chargeToken: string
  onEvent: (event: FrameEvent) => void
}

/** The provider's checkout, isolated in a sandboxed frame. */
export function PaymentFrame({ chargeToken, onEvent }: PaymentFrameProps) {
  const t = walletTexts.useT().payment
  const language = useLanguage()
  const theme = useTheme()
  const frame = useRef<HTMLIFrameElement>(null)
  const [ready, setReady] = useState(false)
  const [height, setHeight] = useState(heights.initial)

  const onFrameEvent = useEffectEvent((event: FrameEvent) => {
    if (event.type === 'ready') setReady(true)
    else if (event.type === 'height') setHeight(Math.min(Math.max(event.px, heights.min), heights.max))
    else onEvent(event)
  })
  useEffect(() => {
    // Any window can post messages: accept only those of this frame.
    function onMessage({ origin, source, data }: MessageEvent<unknown>) {
      if (origin !== frameOrigin || source !== frame.current?.contentWindow) return
      const event = frameEventOf(data)
      if (event) onFrameEvent(event)
    }
    window.addEventListener('message', onMessage)
    return () => window.removeEventListener('message', onMessage)
  }, [])
  useEffect(() => {
    if (ready) return
    const timer = setTimeout(() => onFrameEvent({ type: 'unavailable' }), loadTimeoutMs)
    return () => clearTimeout(timer)
  }, [ready])

  return (
    // A negative margin compensates the widget's own, so that it lines up with the amount above.
    <div
      className={cn('relative overflow-hidden rounded-xl', ready ? '-mx-1' : 'border bg-background')}
      style={{ height }}
    >
      {!ready && (
        <p
          role="status"
          className="absolute inset-0 flex items-center justify-center gap-2 text-sm text-muted-foreground"
        >
          <Spinner />
          <span>{t.loadingFrame}</span>
        </p>
      )}
      <iframe
        ref={frame}
        title={t.frame}
        sandbox={sandbox}
        src={`${paymentOrigin}/payment-frame?${new URLSearchParams({ lang: language, theme }).toString()}#${chargeToken}`}
        className={cn('relative size-full transition-opacity', !ready && 'opacity-0')}
      />
    </div>
  )
}
