import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { CatchBoundary, RouterProvider } from '@tanstack/react-router'
import { type ComponentType, lazy, Suspense, useEffect, useInsertionEffect } from 'react'
import { SessionProvider } from '@/features/auth/session-provider'
import { markPageDrawn, usePageIdle } from '@/lib/page-idle'
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

const longestWaitMs = 500

/** Loads the page's code and, unless it takes long, its prefetched data. */
export async function loadPage(router: AppRouter) {
  await router.load()
  const late = new Promise((resolve) => setTimeout(resolve, longestWaitMs))
  await Promise.race([router.options.context.latest.asked, late])
}

interface AppProps {
  queryClient: QueryClient
  router: AppRouter
}

export function App({ queryClient, router }: AppProps) {
  // boot.js removes the pre-rendered page before layout, and replays a press once the app handles events.
  useInsertionEffect(() => {
    window.dispatchEvent(new Event('app-drawn'))
  }, [])
  useEffect(() => {
    window.dispatchEvent(new Event('app-answers'))
    markPageDrawn()
  }, [])
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
