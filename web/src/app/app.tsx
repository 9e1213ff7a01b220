import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { CatchBoundary, RouterProvider } from '@tanstack/react-router'
import { type ComponentType, lazy, Suspense, useEffect } from 'react'
import { SessionProvider } from '@/features/auth/session-provider'
import { markPageRendered, usePageIdle } from '@/lib/page-idle'
import { useToast } from '@/lib/toast'
import type { AppRouter } from './router'
import { Crash } from './shell/crash'
import { MissingCode } from './shell/missing-code'

const Toaster = lazy(() => import('@/components/ui/toaster'))
// If it fails to load, the page shows data as of its last fetch.
const Live = lazy<ComponentType>(() =>
  import('./idle').then(
    ({ LiveUpdates }) => ({ default: LiveUpdates }),
    () => ({ default: () => null }),
  ),
)

interface AppProps {
  queryClient: QueryClient
  router: AppRouter
}

export function App({ queryClient, router }: AppProps) {
  useEffect(markPageRendered, [])
  return (
    <QueryClientProvider client={queryClient}>
      {/* For what is loaded outside the pages, such as the dialog that connects a wallet. */}
      <CatchBoundary getResetKey={() => 'app'} errorComponent={Crash}>
        <SessionProvider>
          <RouterProvider router={router} />
          <Later />
        </SessionProvider>
        <MissingCode />
        <Toasts router={router} />
      </CatchBoundary>
    </QueryClientProvider>
  )
}

function Later() {
  const settled = usePageIdle()
  return <Suspense>{settled && <Live />}</Suspense>
}

/** Most visits never see a toast, so its code comes with the first one. */
function Toasts({ router }: { router: AppRouter }) {
  const toast = useToast()
  return <Suspense>{toast && <Toaster toast={toast} go={({ to }) => void router.navigate({ to })} />}</Suspense>
}
