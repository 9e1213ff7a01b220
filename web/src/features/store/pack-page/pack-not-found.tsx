import { Link } from '@tanstack/react-router'
import { PackageX } from 'lucide-react'
import { storeTexts } from '../texts'
import { usePageTitle } from '@/lib/page-title'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'

export function PackNotFound() {
  const t = storeTexts.useT().pack
  usePageTitle(t.notFound)
  return (
    <EmptyState
      level={1}
      icon={<PackageX />}
      title={t.notFound}
      text={t.notFoundText}
      action={
        <Button asChild>
          <Link to="/open-packs">{t.backToPacks}</Link>
        </Button>
      }
    />
  )
}
