import { QueryClientProvider } from '@tanstack/react-query'
import { act, render } from '@testing-library/react'
import { expect, it } from 'vitest'
import { createQueryClient } from '@/api/query-client'
import { type Session, SessionContext } from '@/lib/session'
import { messagesDelivered, stubFeed } from '@test/fake-feed'
import { signedIn } from '@test/render-page'
import { LiveUpdates } from './live-updates'

it('opens a new stream when the user changes, because the server marks own events by session', async () => {
  const feed = stubFeed()
  const client = createQueryClient()
  const page = (session: Session) => (
    <QueryClientProvider client={client}>
      <SessionContext value={session}>
        <LiveUpdates />
      </SessionContext>
    </QueryClientProvider>
  )
  const { rerender, unmount } = render(page({ ...signedIn, status: 'loading', user: null }))
  for (const [session, streams] of [
    [signedIn, 1], // the same session as when the stream started
    [{ ...signedIn, status: 'signed-out', user: null }, 2],
    [signedIn, 3],
  ] as const) {
    rerender(page(session))
    await act(messagesDelivered)
    expect(feed.requests).toHaveLength(streams)
    expect(feed.streams.size).toBe(1)
  }
  unmount()
})
