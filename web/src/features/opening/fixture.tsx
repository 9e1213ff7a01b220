/** A page with the opening dialog on it and a server behind it, for tests. */

import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { act, render } from '@testing-library/react'
import { type ReactNode, useState } from 'react'
import { vi } from 'vitest'
import { createQueryClient } from '@/api/query-client'
import { demoTexts } from './demo/texts'
import type { OpenResult, Pack } from '@/lib/contract/types'
import { type HonestOpen, honestOpen } from '@/lib/fair/fixture'
import { type Session, SessionContext } from '@/lib/session'
import { useToast } from '@/lib/toast'
import { pokemon } from '@/test/data'
import { signedIn, signedOut } from '@/test/render-page'
import { DemoDialog } from './demo/demo-dialog'
import { OpeningDialog } from './opening-dialog'

const pulled = {
  name: '1999 Pokemon Base Set #4 Charizard Holo PSA 9 MINT',
  imageUrl: '/media/items/pkm-001.svg',
  series: 'Pokemon',
  rarity: 'Rare' as const,
  grade: 9,
  certType: 'PSA',
  certNumber: '1000417733',
  sellBackCents: 900,
  sellBackUntil: '2026-01-03T03:04:05.678Z',
}

/** An honest open as the server answers it: three items. */
export async function honestResult(): Promise<{ result: OpenResult; honest: HonestOpen }> {
  const honest = await honestOpen()
  const { claim } = honest
  const result = {
    ...claim,
    packName: 'Pokemon',
    createdAt: '2026-01-02T03:04:05.678Z',
    items: claim.items.map((item, i) => ({ ...pulled, ...item, inventoryId: `entry-${i}`, name: `Card ${i + 1}` })),
    balanceCents: 10_000,
    next: { commitment: 'ab'.repeat(32), nonce: 13 },
  }
  return { result, honest }
}

export const refusal = (status: number, code: string, details?: unknown) => () =>
  Response.json({ message: `server: ${code}`, code, requestId: 'r1', details }, { status })

interface Shown {
  open: boolean
  onOpenChange: (open: boolean) => void
}

function Page({ dialog }: { dialog: (shown: Shown) => ReactNode }) {
  const [open, setOpen] = useState(true)
  const toast = useToast()
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        again
      </button>
      {toast && <p data-testid="toast">{`${toast.title}|${toast.description ?? ''}|${toast.variant}`}</p>}
      {dialog({ open, onOpenChange: setOpen })}
    </>
  )
}

/** Shows the page with the dialog open at its intro, and lets everything on its way arrive. */
export function showDialog(balanceCents = 12_550): Promise<void> {
  return show(
    (shown) => (
      <OpeningDialog
        pack={pokemon}
        balanceCents={balanceCents}
        itemActions={({ name }) => <p>{`keep ${name}`}</p>}
        haulActions={(items) => <p>{`sell ${items.length}`}</p>}
        isWhole={() => true}
        verification={({ opening, open }) => open && <p>{`verification of ${opening.openId}`}</p>}
        {...shown}
      />
    ),
    signedIn,
  )
}

/** Shows the page with the demo of a pack at its intro, to somebody who is signed out. */
export async function showDemo(pack: Pack): Promise<void> {
  await demoTexts.load()
  return show((shown) => <DemoDialog pack={pack} {...shown} />, signedOut)
}

async function show(dialog: (shown: Shown) => ReactNode, session: Session): Promise<void> {
  // Loading takes real time, which the tests' clock knows nothing of.
  await import('@/ui/dialog-parts')
  const router = createRouter({
    routeTree: createRootRoute({ component: () => <Page dialog={dialog} /> }),
    history: createMemoryHistory(),
  })
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SessionContext value={session}>
        <RouterProvider router={router as never} />
      </SessionContext>
    </QueryClientProvider>,
  )
  await pass(50)
}

/** Lets time pass in steps, after each of which React does what has become due. */
export async function pass(ms: number): Promise<void> {
  const step = 50
  for (let left = ms; left >= 0; left -= step) {
    await act(() => vi.advanceTimersByTimeAsync(Math.min(left, step)))
  }
}
