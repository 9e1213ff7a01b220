import { LoaderCircle } from 'lucide-react'
import { cn } from '@/lib/cn'

/** Turns while something is pending. The text beside it says what; it is silent itself. */
export function Spinner({ className }: { className?: string }) {
  return <LoaderCircle aria-hidden className={cn('size-4 animate-spin motion-reduce:animate-none', className)} />
}
