import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLanguage } from '@/i18n'
import { cn } from '@/lib/cn'
import { config } from '@/lib/config'
import { useTheme } from '@/lib/theme'
import { Spinner } from '@/components/ui/spinner'
import { walletTexts } from '../texts'
import { type FrameEvent, frameEventOf } from './frame-event'

/** A frame that has not said by then that its widget is there never will. */
const patienceMs = 30_000
/**
 * The provider's script runs in the frame, so the frame never has our origin. At our address it has none at all and can
 * reach nothing of ours; a wallet only talks to a page that has one, which is then on another host.
 */
const { paymentOrigin } = config
const frameOrigin = paymentOrigin || 'null'
const sandbox = paymentOrigin
  ? 'allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox'
  : 'allow-scripts'
const heights = { least: 200, most: 1200, first: 280 }

interface PaymentFrameProps {
  chargeToken: string
  onEvent: (event: FrameEvent) => void
}

/** The provider's checkout, in a page of its own: nothing of it runs in ours. */
export function PaymentFrame({ chargeToken, onEvent }: PaymentFrameProps) {
  const t = walletTexts.useT().payment
  const language = useLanguage()
  const theme = useTheme()
  const frame = useRef<HTMLIFrameElement>(null)
  const [ready, setReady] = useState(false)
  const [height, setHeight] = useState(heights.first)

  const heard = useEffectEvent((event: FrameEvent) => {
    if (event.type === 'ready') setReady(true)
    else if (event.type === 'height') setHeight(Math.min(Math.max(event.px, heights.least), heights.most))
    else onEvent(event)
  })
  useEffect(() => {
    // Any window may send us messages: only those of the page in this frame count.
    function hear({ origin, source, data }: MessageEvent<unknown>) {
      if (origin !== frameOrigin || source !== frame.current?.contentWindow) return
      const event = frameEventOf(data)
      if (event) heard(event)
    }
    window.addEventListener('message', hear)
    return () => window.removeEventListener('message', hear)
  }, [])
  useEffect(() => {
    if (ready) return
    const timer = setTimeout(() => heard({ type: 'unavailable' }), patienceMs)
    return () => clearTimeout(timer)
  }, [ready])

  return (
    // The widget keeps a margin of its own, within which it stands in line with what is above.
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
