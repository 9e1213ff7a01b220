import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { Toast as Primitive } from 'radix-ui'
import { useT } from '@/i18n'
import { cn } from '@/lib/cn'
import { Button } from './button'
import { dismissToast, type Toast, type ToastLink } from '@/lib/toast'

const durationMs = 5000
const swipeThresholdPx = 50
const gapPx = 24

/** Shows the current toast. F8 moves the focus to it. */
export default function Toaster({ toast, go }: { toast: Toast; go: (link: ToastLink) => void }) {
  const t = useT()
  return (
    <Primitive.Provider swipeThreshold={swipeThresholdPx} label={t.shell.notification}>
      <Primitive.Root
        key={toast.id}
        ref={avoidButtons}
        type={toast.variant === 'destructive' ? 'foreground' : 'background'}
        duration={toast.stays ? Infinity : durationMs}
        onOpenChange={(open) => !open && dismissToast()}
        className={cn(
          'flex animate-in items-start gap-3 rounded-xl border bg-raised p-4 text-raised-foreground shadow-float fade-in-0 slide-in-from-bottom-2 motion-reduce:animate-none data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x)',
          toast.variant === 'destructive' ? 'border-destructive' : 'border-line-strong',
        )}
      >
        {toast.variant === 'destructive' ? (
          <CircleAlert aria-hidden className="mt-0.5 size-5 shrink-0 text-destructive-text" />
        ) : (
          <CircleCheck aria-hidden className="mt-0.5 size-5 shrink-0 text-positive-text" />
        )}
        <div className="min-w-0 flex-1">
          <Primitive.Title className="text-sm font-semibold">{toast.title}</Primitive.Title>
          {toast.description && (
            <Primitive.Description className="text-sm break-words text-muted-foreground">
              {toast.description}
            </Primitive.Description>
          )}
          {toast.link && <ToastAnchor link={toast.link} go={go} />}
          {toast.action && (
            <Primitive.Action asChild altText={toast.action.text}>
              <Button size="sm" variant="secondary" className="mt-3" onClick={toast.action.onPress}>
                {toast.action.text}
              </Button>
            </Primitive.Action>
          )}
        </div>
        <Primitive.Close aria-label={t.shell.close} className="text-muted-foreground hover:text-foreground">
          <X aria-hidden className="size-4" />
        </Primitive.Close>
      </Primitive.Root>
      <Primitive.Viewport
        hotkey={['F8']}
        label={t.shell.notifications}
        className="fixed z-[100] w-96 max-w-[calc(100vw-3rem)] outline-none"
      />
    </Primitive.Provider>
  )
}

/** A plain link: toasts are rendered outside the router. */
function ToastAnchor({ link, go }: { link: ToastLink; go: (link: ToastLink) => void }) {
  return (
    <a
      href={link.to}
      className="mt-1 inline-block text-sm font-medium text-gold-text underline-offset-4 hover:underline"
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        dismissToast()
        go(link)
      }}
    >
      {link.text}
    </a>
  )
}

/** Distance between two candidate positions on the same side. */
const stepPx = 24

/** Positions for a toast, best first: the corners, then the sides from the bottom up. */
function candidatePositions({ width, height }: DOMRect): DOMRect[] {
  const { clientWidth, clientHeight } = document.documentElement
  const [right, bottom] = [clientWidth - width - gapPx, clientHeight - height - gapPx]
  const steps = Math.max(0, Math.floor((bottom - gapPx) / stepPx))
  const between = Array.from({ length: steps }, (_, step) => bottom - (step + 1) * stepPx)
  return [right, gapPx]
    .flatMap((left) => [bottom, gapPx].map((top) => ({ left, top })))
    .concat([right, gapPx].flatMap((left) => between.map((top) => ({ left, top }))))
    .map(({ left, top }) => new DOMRect(left, top, width, height))
}

/** Puts a toast where it covers the fewest controls, because the user may need one of them next. */
function avoidButtons(toast: HTMLElement | null): void {
  const list = toast?.parentElement
  if (!list) return
  const dialog = [...document.querySelectorAll('[role=dialog]')].at(-1)
  const controls = [...(dialog ?? document).querySelectorAll('button:enabled, input:enabled, [data-button]')]
    .filter((control) => !list.contains(control))
    .map((control) => control.getBoundingClientRect())
  const covers = (place: DOMRect) => controls.filter((control) => overlap(place, control)).length
  const places = candidatePositions(list.getBoundingClientRect())
  const fewest = Math.min(...places.map(covers))
  const best = places.find((place) => covers(place) === fewest)
  if (!best) return
  list.style.left = `${best.left}px`
  // Anchored to the bottom unless it is at the top, so that it stays visible when the window shrinks.
  const low = best.top > gapPx
  list.style.top = low ? 'auto' : `${best.top}px`
  list.style.bottom = low ? `${document.documentElement.clientHeight - best.bottom}px` : 'auto'
}

function overlap(a: DOMRect, b: DOMRect): boolean {
  return b.width > 0 && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
}
