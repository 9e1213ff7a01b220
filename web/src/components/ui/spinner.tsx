import { LoaderCircle } from 'lucide-react'
import { cn } from '@/lib/cn'

/** Hidden from screen readers: needs a text next to it. */
export function Spinner({ className }: { className?: string }) {
  return <LoaderCircle aria-hidden className={cn('base:size-4 animate-spin motion-reduce:animate-none', className)} />
}
