import type { ReactNode } from 'react'
import { usePageTitle } from '@/lib/page-title'

interface PageHeaderProps {
  /** Heading and document title. */
  title: string
  text: string
  /** Actions on the right. */
  children?: ReactNode
}

export function PageHeader({ title, text, children }: PageHeaderProps) {
  usePageTitle(title)
  return (
    <header className="mb-7 flex flex-wrap items-end justify-between gap-4">
      <div>
        <h1 className="text-[1.75rem] leading-tight font-semibold tracking-tight">{title}</h1>
        <p className="mt-1 text-muted-foreground">{text}</p>
      </div>
      {children}
    </header>
  )
}
