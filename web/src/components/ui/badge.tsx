import { cva, type VariantProps } from 'class-variance-authority'
import type { ComponentProps } from 'react'
import { cn } from '@/lib/cn'

const badgeVariants = cva(
  'inline-flex items-center gap-1 rounded-full border px-2 py-0.5 text-xs leading-4 font-medium whitespace-nowrap [&_svg]:size-3',
  {
    variants: {
      variant: {
        neutral: 'border-line bg-muted text-muted-foreground',
        outline: 'border-line-strong text-foreground',
        gold: 'border-transparent bg-gold text-gold-foreground',
        positive: 'border-line bg-muted text-positive-text',
        destructive: 'border-line bg-muted text-destructive-text',
      },
    },
    defaultVariants: { variant: 'neutral' },
  },
)

export function Badge({ variant, className, ...rest }: ComponentProps<'span'> & VariantProps<typeof badgeVariants>) {
  return <span className={cn(badgeVariants({ variant }), className)} {...rest} />
}
