import { QueryClientProvider } from '@tanstack/react-query'
import { CatchBoundary, RouterProvider } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { SessionProvider } from '@/features/identity/session-provider'
import { createQueryClient } from '@/api/query-client'
import { useToast } from '@/lib/toast'
import { createAppRouter } from './router'
import { Crash } from './shell/crash'

const Toaster = lazy(() => import('@/ui/toaster'))

const queryClient = createQueryClient()
const router = createAppRouter(queryClient)

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

/** The code of the page that the address names. */
export const loadPage = () => router.load()

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      {/* For what is loaded outside the pages, such as the dialog that connects a wallet. */}
      <CatchBoundary getResetKey={() => 'app'} errorComponent={Crash}>
        <SessionProvider>
          <RouterProvider router={router} />
        </SessionProvider>
        <Toasts />
      </CatchBoundary>
    </QueryClientProvider>
  )
}

/** Most visits never see a toast, so its code comes with the first one. */
function Toasts() {
  const toast = useToast()
  return <Suspense>{toast && <Toaster toast={toast} />}</Suspense>
}
