import { cva, type VariantProps } from 'class-variance-authority'
import type { ComponentProps } from 'react'
import { cn } from '@/lib/cn'

const badgeVariants = cva(
  'inline-flex items-center gap-1 rounded-full border base:px-2 base:py-0.5 base:text-xs base:font-medium base:whitespace-nowrap [&_svg]:size-3',
  {
    variants: {
      variant: {
        neutral: 'border-line bg-muted text-muted-foreground',
        outline: 'base:border-line-strong base:text-foreground',
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
