import { SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { usePageTitle } from '@/lib/page-title'
import { EmptyState } from './empty-state'

interface PageNotFoundProps {
  title: string
  text: string
  /** Where to go instead. */
  action: ReactNode
}

/** What a page shows if there is nothing with the id in its address. */
export function PageNotFound({ title, text, action }: PageNotFoundProps) {
  usePageTitle(title)
  return <EmptyState level={1} icon={<SearchX />} title={title} text={text} action={action} />
}
