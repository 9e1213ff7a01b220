import { Link } from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import { itemTexts } from './texts'
import { usePageTitle } from '@/lib/page-title'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'

interface NotFoundProps {
  title: string
  text: string
}

export function NotFound({ title, text }: NotFoundProps) {
  const t = itemTexts.useT()
  usePageTitle(title)
  return (
    <EmptyState
      level={1}
      icon={<SearchX />}
      title={title}
      text={text}
      action={
        <Button asChild>
          <Link to="/open-packs">{t.toPacks}</Link>
        </Button>
      }
    />
  )
}
