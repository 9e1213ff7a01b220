import type { ComponentProps, ReactNode } from 'react'
import { cn } from '@/lib/cn'
import { Button } from './button'

interface ChoiceTileProps extends Omit<ComponentProps<typeof Button>, 'title' | 'asChild' | 'children'> {
  icon: ReactNode
  title: string
  /** What it costs, brings or leads to. */
  detail: ReactNode
}

/** One of several equal choices. */
export function ChoiceTile({ className, ...rest }: ChoiceTileProps) {
  const { icon, title, detail, ...button } = rest
  return (
    <Button variant="secondary" className={cn(choiceTileClass, className)} {...button}>
      <ChoiceText icon={icon} title={title} detail={detail} />
    </Button>
  )
}

/** For links that look like a tile. */
export const choiceTileClass =
  'h-auto min-h-16 flex-col gap-0.5 rounded-xl px-2 py-2.5 leading-snug whitespace-normal disabled:opacity-60'

export function ChoiceText({ icon, title, detail }: Pick<ChoiceTileProps, 'icon' | 'title' | 'detail'>) {
  return (
    <>
      <span className="flex items-center gap-1.5 text-sm font-semibold">
        {icon}
        <span>{title}</span>
      </span>
      <span className="text-[0.8125rem] font-normal text-muted-foreground">{detail}</span>
    </>
  )
}
