import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { Toast as Primitive } from 'radix-ui'
import { useT } from '@/i18n'
import { cn } from '@/lib/cn'
import { dismissToast, type Toast, type ToastLink } from '@/lib/toast'

const durationMs = 5000
const swipeThresholdPx = 50
const gapPx = 24

/** Shows the one current toast. F8 brings the keyboard to it. */
export default function Toaster({ toast, go }: { toast: Toast; go: (link: ToastLink) => void }) {
  const t = useT()
  return (
    <Primitive.Provider duration={durationMs} swipeThreshold={swipeThresholdPx} label={t.shell.notification}>
      <Primitive.Root
        key={toast.id}
        ref={avoidButtons}
        type={toast.variant === 'destructive' ? 'foreground' : 'background'}
        onOpenChange={(open) => !open && dismissToast()}
        className={cn(
          'flex animate-in items-start gap-3 rounded-xl border border-line-strong bg-raised p-4 text-raised-foreground shadow-float fade-in-0 slide-in-from-bottom-2 motion-reduce:animate-none data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x)',
          toast.variant === 'destructive' && 'border-destructive',
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

/** A link without a router's context: toasts are rendered beside the router. */
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

/** Where a toast may be, the best place first. */
const places = [
  { bottom: gapPx, right: gapPx },
  { top: gapPx, right: gapPx },
  { bottom: gapPx, left: gapPx },
  { top: gapPx, left: gapPx },
] as const

/** Places a toast where it covers the fewest buttons and fields: it may say to press just that one. */
function avoidButtons(toast: HTMLElement | null): void {
  const list = toast?.parentElement
  if (!list) return
  const dialog = [...document.querySelectorAll('[role=dialog]')].at(-1)
  const controls = [...(dialog ?? document).querySelectorAll('button:enabled, input:enabled, [data-button]')]
    .filter((control) => !list.contains(control))
    .map((control) => control.getBoundingClientRect())
  const covered = places.map((place) => {
    moveTo(list, place)
    const box = list.getBoundingClientRect()
    return controls.filter((control) => overlap(box, control)).length
  })
  moveTo(list, places[covered.indexOf(Math.min(...covered))] ?? places[0])
}

function moveTo(list: HTMLElement, place: (typeof places)[number]): void {
  for (const side of ['top', 'right', 'bottom', 'left'] as const)
    list.style[side] = side in place ? `${gapPx}px` : 'auto'
}

function overlap(a: DOMRect, b: DOMRect): boolean {
  return b.width > 0 && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
}
