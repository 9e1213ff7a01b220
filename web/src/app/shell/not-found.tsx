import { Link } from '@tanstack/react-router'
import { Compass } from 'lucide-react'
import { useT } from '@/i18n'
import { usePageTitle } from '@/lib/page-title'
import { Button } from '@/components/ui/button'

export function NotFound() {
  const t = useT().shell.notFound
  usePageTitle(t.title)
  return (
    <div className="flex flex-col items-center gap-2 px-6 py-32 text-center">
      <Compass aria-hidden className="mb-3 size-10 text-gold-text" />
      <h1 className="text-2xl font-semibold">{t.title}</h1>
      <p className="text-muted-foreground">{t.text}</p>
      <Button asChild variant="secondary" className="mt-5">
        <Link to="/app">{t.home}</Link>
      </Button>
    </div>
  )
}
