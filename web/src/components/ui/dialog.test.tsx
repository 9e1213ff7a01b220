import { QueryClient, QueryClientProvider, useMutation } from '@tanstack/react-query'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '@/contract/error'
import { SessionContext } from '@/lib/session'
import { signedIn } from '@test/render-page'
import { Dialog, DialogContent, DialogHeader } from './dialog'
import { DialogSlot } from './dialog-slot'
import { crash } from './texts/en'

function Fragile({ act, answer }: { act: string; answer: () => Promise<unknown> }) {
  const [broken, setBroken] = useState(false)
  const { mutate } = useMutation({ mutationKey: [act], mutationFn: answer })
  if (broken) throw new Error('broken')
  return (
    <DialogContent aria-describedby={undefined}>
      <DialogHeader title="Pay" />
      <button type="button" onClick={() => mutate()}>
        send
      </button>
      <button type="button" onClick={() => setBroken(true)}>
        break
      </button>
    </DialogContent>
  )
}

function Page(props: { act: string; answer: () => Promise<unknown> }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        open
      </button>
      <Dialog open={open} onOpenChange={setOpen}>
        <Fragile {...props} />
      </Dialog>
    </>
  )
}

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

async function crashAfter(act: string, answer?: () => Promise<unknown>) {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <SessionContext value={signedIn}>
        <Page act={act} answer={answer ?? (() => Promise.resolve())} />
      </SessionContext>
    </QueryClientProvider>,
  )
  await press('open')
  if (answer) await press('send')
  await press('break')
  await screen.findByRole('dialog', { name: crash.title })
}

const refused = (status: number, code: 'sold_out' | 'internal' | 'network') => () =>
  Promise.reject(new ApiError(status, code, 'No.'))

beforeEach(() => {
  // React reports what a boundary caught.
  vi.spyOn(console, 'error').mockReturnValue()
})

describe('a dialog that crashes', () => {
  it.each([
    ['before the request', 'open', undefined, crash.notSent, '/balance'],
    ['during the request', 'open', () => new Promise(() => {}), crash.pending, '/my-opens'],
    ['after an open', 'open', () => Promise.resolve({}), crash.opened, '/my-opens'],
    ['after a purchase', 'buy', () => Promise.resolve({}), crash.done, '/my-collection'],
    ['after a refusal', 'bid', refused(410, 'sold_out'), crash.refused, '/orders'],
    ['after a server error', 'claim', refused(500, 'internal'), crash.unknown, '/claims'],
    ['without a response', 'quickSell', refused(0, 'network'), crash.unknown, '/balance'],
  ])('%s says what happened to the money', async (_, act, answer, text, href) => {
    await crashAfter(act, answer)
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(text))
    expect(screen.getByRole('link')).toHaveAttribute('href', href)
  })

  it('closes, leaves the page, and works when it is opened again', async () => {
    await crashAfter('open', () => Promise.resolve({}))
    await press('Close')
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    await press('open')
    expect(await screen.findByRole('dialog', { name: 'Pay' })).toBeVisible()
  })
})

function Eager() {
  return (
    <DialogContent aria-describedby={undefined}>
      <DialogHeader title="Find" />
      <input aria-label="query" ref={(field) => field?.focus()} />
    </DialogContent>
  )
}

it('restores focus even if a control in the dialog took it at once', async () => {
  function Searching() {
    const [open, setOpen] = useState(false)
    return (
      <>
        <button type="button" onClick={() => setOpen(true)}>
          open
        </button>
        <Dialog open={open} onOpenChange={setOpen}>
          <Eager />
        </Dialog>
      </>
    )
  }
  render(<Searching />)
  await press('open')
  await waitFor(() => expect(screen.getByRole('textbox')).toHaveFocus())
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.getByRole('button', { name: 'open' })).toHaveFocus())
})

function Careless({ onClose }: { onClose: () => void }) {
  const [broken, setBroken] = useState(false)
  const { mutate } = useMutation({ mutationKey: ['bid'], mutationFn: () => Promise.resolve() })
  if (broken) throw new Error('broken')
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent aria-describedby={undefined}>
        <DialogHeader title="Bid" />
        <button type="button" onClick={() => mutate()}>
          send
        </button>
        <button type="button" onClick={() => setBroken(true)}>
          break
        </button>
      </DialogContent>
    </Dialog>
  )
}

it('a crash while rendering the dialog shows an error in its place, and the page survives', async () => {
  function Bidding() {
    const [open, setOpen] = useState(false)
    return (
      <>
        <button type="button" onClick={() => setOpen(true)}>
          open
        </button>
        <DialogSlot open={open} onClose={() => setOpen(false)}>
          {open && <Careless onClose={() => setOpen(false)} />}
        </DialogSlot>
      </>
    )
  }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <SessionContext value={signedIn}>
        <Bidding />
      </SessionContext>
    </QueryClientProvider>,
  )
  await press('open')
  await press('send')
  await press('break')
  const crashed = await screen.findByRole('dialog', { name: crash.title })
  await waitFor(() => expect(within(crashed).getByRole('alert')).toHaveTextContent(crash.done))
  expect(within(crashed).getByRole('link')).toHaveAttribute('href', '/orders')
  await press('Close')
  await waitFor(() => expect(crashed).not.toBeInTheDocument())
  await press('open')
  await screen.findByRole('dialog', { name: 'Bid' })
})
