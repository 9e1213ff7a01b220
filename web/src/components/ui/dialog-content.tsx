import { X } from 'lucide-react'
import { Dialog as Primitive } from 'radix-ui'
import { type ComponentProps, type ReactNode, useLayoutEffect, useRef } from 'react'
import { useT } from '@/i18n'
import { cn } from '@/lib/cn'

export interface DialogContentProps extends ComponentProps<typeof Primitive.Content> {
  overlayClassName?: string
  /** If false, the dialog needs its own close button. */
  closeButton?: boolean
}

export function Content({ className, overlayClassName, closeButton = true, children, ...rest }: DialogContentProps) {
  // Radix only returns the focus to a trigger, and our dialogs are opened by state.
  const opener = useRef<readonly Element[]>([])
  return (
    <Primitive.Portal>
      <Primitive.Overlay
        className={cn(
          'fixed inset-0 z-50 base:bg-overlay data-[state=closed]:animate-out data-[state=closed]:fade-out-0 data-[state=open]:animate-in data-[state=open]:fade-in-0',
          overlayClassName,
        )}
      />
      <Primitive.Content
        className={cn(
          'panel fixed base:top-1/2 base:left-1/2 z-50 base:max-h-[calc(100dvh-2rem)] base:w-[calc(100%-2rem)] base:max-w-md base:-translate-1/2 overflow-y-auto base:rounded-2xl base:p-6 shadow-float outline-none data-[state=closed]:animate-out data-[state=closed]:fade-out-0 data-[state=closed]:zoom-out-95 data-[state=open]:animate-in data-[state=open]:fade-in-0 base:data-[state=open]:zoom-in-95 motion-reduce:data-[state=closed]:zoom-out-100 motion-reduce:data-[state=open]:zoom-in-100',
          className,
        )}
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          returnFocus(opener.current)
        }}
        {...rest}
      >
        <FirstMount
          onMount={() => {
            opener.current = withAncestors(document.activeElement)
          }}
        />
        {children}
        {closeButton && <CloseButton />}
      </Primitive.Content>
    </Primitive.Portal>
  )
}

/** Must be the first child of a dialog: a later child may take the focus, and then Radix doesn't report the opening. */
function FirstMount({ onMount }: { onMount: () => void }) {
  const mounted = useRef(false)
  useLayoutEffect(() => {
    // Effects run again after a dialog was suspended.
    if (!mounted.current) onMount()
    mounted.current = true
  }, [onMount])
  return null
}

function withAncestors(element: Element | null): Element[] {
  return element ? [element, ...withAncestors(element.parentElement)] : []
}

/** Focuses the opener, or the control that replaced it: "Connect wallet" may have become "Open Pack". */
function returnFocus([opener, ...around]: readonly Element[]): void {
  const controls = 'a[href], button:enabled, input:enabled'
  const target = opener?.isConnected
    ? opener
    : around.find((place) => place.isConnected && place.querySelector(controls))?.querySelector(controls)
  if (target instanceof HTMLElement) target.focus()
}

function CloseButton() {
  const t = useT()
  return (
    <Primitive.Close
      aria-label={t.shell.close}
      className="absolute top-4 right-4 grid size-8 place-items-center rounded-lg text-muted-foreground hover:bg-muted hover:text-foreground"
    >
      <X aria-hidden className="size-4" />
    </Primitive.Close>
  )
}

export interface DialogHeaderProps {
  title: ReactNode
  text?: ReactNode
  className?: string
}

export function Header({ title, text, className }: DialogHeaderProps) {
  return (
    <div className={cn('base:mb-5 space-y-1.5 base:pr-8', className)}>
      <Primitive.Title className="text-lg leading-snug font-semibold">{title}</Primitive.Title>
      {text && (
        <Primitive.Description className="text-sm text-pretty text-muted-foreground">{text}</Primitive.Description>
      )}
    </div>
  )
}
