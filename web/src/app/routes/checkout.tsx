import { useParams, useRouter } from '@tanstack/react-router'
import { CreditCard, PackageX } from 'lucide-react'
import type { ReactNode } from 'react'
import { usePack } from '@/api/packs'
import { routesTexts } from './texts'
import { usePageTitle } from '@/lib/page-title'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { Loaded } from '@/components/ui/loaded'
import { Spinner } from '@/components/ui/spinner'

/** Card payments are disabled: the page only says so. */
export function CheckoutPage() {
  const t = routesTexts.useT().checkout
  usePageTitle(t.title)
  const { packId } = useParams({ from: '/checkout/$packId' })
  const pack = usePack(packId)
  return (
    <Loaded
      query={pack}
      failed={t.failed}
      skeleton={
        <p role="status" className="flex items-center justify-center gap-3 py-40 text-muted-foreground">
          <Spinner className="size-6" />
          <span>{t.loading}</span>
        </p>
      }
      unknown={<DeadEnd icon={<PackageX />} title={t.notFound} text={t.notFoundText} fallback="/open-packs" />}
    >
      {() => (
        <DeadEnd
          icon={<CreditCard />}
          title={t.notConfigured}
          text={t.notConfiguredText}
          fallback={`/pack/${packId}`}
        />
      )}
    </Loaded>
  )
}

interface DeadEndProps {
  icon: ReactNode
  title: string
  text: string
  /** Where "Go back" leads if this is the first page in the history. */
  fallback: string
}

function DeadEnd({ icon, title, text, fallback }: DeadEndProps) {
  const t = routesTexts.useT().checkout
  const { history } = useRouter()
  const back = () => (history.canGoBack() ? history.back() : history.push(fallback))
  return (
    <EmptyState
      level={1}
      icon={icon}
      title={title}
      text={text}
      action={<Button onClick={back}>{t.goBack}</Button>}
      className="py-32"
    />
  )
}
