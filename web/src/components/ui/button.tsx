import { cva, type VariantProps } from 'class-variance-authority'
import { Slot } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from '@/lib/cn'

const buttonVariants = cva(
  'base:inline-flex base:shrink-0 items-center justify-center base:gap-2 font-medium base:whitespace-nowrap base:transition-[background-color,border-color,color,box-shadow,transform] duration-150 select-none active:translate-y-px disabled:pointer-events-none base:disabled:opacity-50 disabled:shadow-none [&_svg]:shrink-0',
  {
    variants: {
      variant: {
        primary:
          'bg-gold text-gold-foreground shadow-[inset_0_1px_0_rgb(255_255_255/0.35),0_8px_24px_-12px_var(--gold)] hover:bg-gold-strong',
        secondary: 'border base:border-line base:bg-raised base:text-raised-foreground base:hover:border-line-strong',
        ghost: 'base:text-muted-foreground hover:bg-muted hover:text-foreground',
        destructive: 'bg-destructive text-destructive-foreground hover:brightness-110',
      },
      size: {
        sm: 'base:h-8 base:rounded-lg base:px-3 base:text-[0.8125rem] [&_svg]:size-4',
        md: 'base:h-10 base:rounded-lg base:px-4 base:text-sm [&_svg]:size-4',
        lg: 'base:h-12 base:rounded-xl base:px-6 base:text-[0.9375rem] [&_svg]:size-4',
        icon: 'base:size-9 base:rounded-lg [&_svg]:size-[1.125rem]',
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
