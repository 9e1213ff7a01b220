import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { render } from '@testing-library/react'
import { vi } from 'vitest'
import { createAppRouter } from '@/app/router'
import { createQueryClient } from '@/api/query-client'
import { type Session, SessionContext } from '@/lib/session'
import { someUser } from './data'

export const signedOut: Session = {
  status: 'signed-out',
  user: null,
  address: null,
  walletMismatch: false,
  connect: vi.fn(),
  logout: () => Promise.resolve(),
  sign: () => Promise.resolve({ signature: '1' }),
  refresh: () => Promise.resolve(),
}

export const signedIn: Session = {
  ...signedOut,
  status: 'signed-in',
  user: someUser,
  address: someUser.walletAddress,
}

/** Renders the app at a path with a session, without the wallet code. */
export function renderPage(path: string, session: Session = signedOut) {
  const queryClient = createQueryClient()
  const history = createMemoryHistory({ initialEntries: [path] })
  render(
    <QueryClientProvider client={queryClient}>
      <SessionContext value={session}>
        <RouterProvider router={createAppRouter(queryClient, history)} />
      </SessionContext>
    </QueryClientProvider>,
  )
  return { history, queryClient }
}
