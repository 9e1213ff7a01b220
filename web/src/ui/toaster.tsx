import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { Toast as Primitive } from 'radix-ui'
import { useT } from '@/i18n'
import { cn } from '@/lib/cn'
import { dismissToast, type Toast } from '@/lib/toast'

const durationMs = 5000
const swipeThresholdPx = 50
const gapPx = 24

/** Shows the one current toast. F8 brings the keyboard to it. */
export default function Toaster({ toast }: { toast: Toast }) {
  const t = useT()
  return (
    <Primitive.Provider duration={durationMs} swipeThreshold={swipeThresholdPx} label={t.shell.notification}>
      <Primitive.Root
        key={toast.id}
        ref={keepFree}
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
        </div>
        <Primitive.Close aria-label={t.shell.close} className="text-muted-foreground hover:text-foreground">
          <X aria-hidden className="size-4" />
        </Primitive.Close>
      </Primitive.Root>
      <Primitive.Viewport
        hotkey={['F8']}
        label={t.shell.notifications}
        className="fixed right-6 z-[100] w-96 max-w-[calc(100vw-3rem)] outline-none"
      />
    </Primitive.Provider>
  )
}

/** Has a toast stand above what is pressed at the window's foot: it may say to press just that. */
function keepFree(toast: HTMLElement | null): void {
  const list = toast?.parentElement
  if (!list) return
  const { offsetHeight } = list
  const kept = document.querySelector('[data-kept-free]')?.getBoundingClientRect()
  const abovePx = kept ? window.innerHeight - kept.top + gapPx / 2 : 0
  const covers = kept && abovePx > gapPx && kept.bottom > window.innerHeight - gapPx - offsetHeight
  list.style.bottom = `${covers && abovePx + offsetHeight <= window.innerHeight ? abovePx : gapPx}px`
}
