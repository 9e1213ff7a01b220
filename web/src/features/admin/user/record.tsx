import type { ReactNode } from 'react'
import { useLanguage } from '@/i18n'
import { dateTime } from '@/lib/format'
import { type Fact, Facts } from '@/components/ui/facts'

interface RecordProps {
  title: ReactNode
  badge?: ReactNode
  at: string
  facts: readonly Fact[]
  children?: ReactNode
}

/** A row of a list on a user's page. The facts of all rows are in the same columns. */
export function Record({ title, badge, at, facts, children }: RecordProps) {
  const language = useLanguage()
  return (
    <article className="panel rounded-xl px-5 py-3.5">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <h3 className="min-w-0 font-medium break-words">{title}</h3>
        {badge}
        <time dateTime={at} className="ml-auto text-xs text-muted-foreground tabular-nums">
          {dateTime(at, language)}
        </time>
      </header>
      {facts.length > 0 && <Facts layout="cells" facts={facts} className="mt-2.5" />}
      {children}
    </article>
  )
}
