import { cva, type VariantProps } from 'class-variance-authority'
import { Slot } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from '@/lib/cn'

const buttonVariants = cva(
  'inline-flex shrink-0 items-center justify-center gap-2 rounded-lg font-medium whitespace-nowrap transition-[background-color,border-color,color,box-shadow,transform] duration-150 select-none active:translate-y-px disabled:pointer-events-none disabled:opacity-50 disabled:shadow-none [&_svg]:size-4 [&_svg]:shrink-0',
  {
    variants: {
      variant: {
        primary:
          'bg-gold text-gold-foreground shadow-[inset_0_1px_0_rgb(255_255_255/0.35),0_8px_24px_-12px_var(--gold)] hover:bg-gold-strong',
        secondary: 'border border-line bg-raised text-raised-foreground hover:border-line-strong',
        ghost: 'text-muted-foreground hover:bg-muted hover:text-foreground',
        destructive: 'bg-destructive text-destructive-foreground hover:brightness-110',
      },
      size: {
        sm: 'h-8 px-3 text-[0.8125rem]',
        md: 'h-10 px-4 text-sm',
        lg: 'h-12 rounded-xl px-6 text-[0.9375rem]',
        icon: 'size-9 [&_svg]:size-[1.125rem]',
      },
    },
    defaultVariants: { variant: 'primary', size: 'md' },
  },
)

interface ButtonProps extends ComponentProps<'button'>, VariantProps<typeof buttonVariants> {
  /** Styles its only child, usually a link, instead of rendering a button. */
  asChild?: boolean
}

export function Button({ variant, size, asChild = false, className, type = 'button', ...rest }: ButtonProps) {
  const classes = cn(buttonVariants({ variant, size }), className)
  return asChild ? (
    <Slot.Root data-button className={classes} {...rest} />
  ) : (
    <button type={type} className={classes} {...rest} />
  )
}
