import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { setLanguage } from '@/i18n'
import { ApiError } from '@/contract/error'
import * as session from '@/api/session'
import { config } from '@/lib/config'
import { useSession } from '@/lib/session'
import { challengeFor, userOf } from '@test/fixtures/auth'
import { SessionProvider } from './session-provider'
import { WalletError } from './wallets/wallet'

function stubServer() {
  return {
    user: vi.spyOn(session, 'fetchUser').mockResolvedValue(null),
    challenge: vi
      .spyOn(session, 'requestChallenge')
      .mockImplementation((address) => Promise.resolve(challengeFor(address))),
    verify: vi.spyOn(session, 'beginSession').mockImplementation(({ address }) => Promise.resolve(userOf(address))),
    logout: vi.spyOn(session, 'endSession').mockResolvedValue(undefined),
  }
}
let server: ReturnType<typeof stubServer>

beforeEach(() => {
  void setLanguage('en')
  server = stubServer()
  vi.spyOn(config, 'sandbox', 'get').mockReturnValue(true)
  return () => {
    delete window.phantom
  }
})

function inject(parts: object): void {
  const solana = { isPhantom: true, on: () => {}, off: () => {}, disconnect: () => Promise.resolve(), ...parts }
  Object.assign(window, { phantom: { solana } })
}

function Screen() {
  const { status, address, connect, logout, sign } = useSession()
  const [outcome, setOutcome] = useState('')
  function signText() {
    sign('a text').then(
      ({ signature }) => setOutcome(signature),
      (error: unknown) => setOutcome(error instanceof WalletError ? error.problem : 'other'),
    )
  }
  return (
    <main>
      <p>{`${status} ${address ?? 'nobody'}`}</p>
      <button type="button" onClick={signText}>
        sign
      </button>
      <output>{outcome}</output>
      <button type="button" onClick={connect}>
        connect
      </button>
      <button type="button" onClick={() => void logout()}>
        logout
      </button>
    </main>
  )
}

function show(children = <Screen />, client = new QueryClient({ defaultOptions: { queries: { retry: false } } })) {
  render(
    <QueryClientProvider client={client}>
      <SessionProvider>{children}</SessionProvider>
    </QueryClientProvider>,
  )
  return client
}

async function openDialog() {
  const person = userEvent.setup()
  await screen.findByText(/signed-out/)
  await person.click(screen.getByRole('button', { name: 'connect' }))
  return { person, dialog: within(await screen.findByRole('dialog', { name: 'Connect your wallet' })) }
}

test('the demo wallet signs in', async () => {
  show()
  const { person, dialog } = await openDialog()
  await person.click(dialog.getByRole('button', { name: /Demo wallet/ }))
  await screen.findByText(/^signed-in [1-9A-Za-z]{32,44}$/)
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  expect(server.verify).toHaveBeenCalledWith(expect.objectContaining({ signedMessage: expect.any(String) }))
})

test('without Phantom, its install page opens in a new tab', async () => {
  const open = vi.spyOn(window, 'open').mockReturnValue(null)
  show()
  const { person, dialog } = await openDialog()
  await person.click(dialog.getByRole('button', { name: /Phantom.*Not installed/ }))
  expect(await dialog.findByRole('alert')).toHaveTextContent('Phantom wallet not found')
  expect(open).toHaveBeenCalledWith('https://phantom.com/download', '_blank', 'noopener')
  expect(dialog.getByRole('link', { name: 'Install Phantom' })).toHaveAttribute('href', 'https://phantom.com/download')
})

test('a Phantom that never becomes ready shows an alert', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const alert = vi.spyOn(window, 'alert').mockReturnValue()
  inject({})
  show()
  const { dialog } = await openDialog()
  dialog.getByRole('button', { name: /Phantom/ }).click()
  await vi.advanceTimersByTimeAsync(5_500)
  const text = 'Phantom wallet detected but not ready. Please refresh the page and try again.'
  expect(alert).toHaveBeenCalledWith(text)
  expect(dialog.getByRole('alert')).toHaveTextContent(text)
  vi.useRealTimers()
})

describe('Phantom’s errors show the specified texts', () => {
  test.each([
    [{ code: 4001, message: 'User rejected the request.' }, 'Connection was cancelled by user'],
    [{ code: -32603, message: 'Internal error' }, 'Connection was cancelled by user'],
    [{ code: -32002, message: '' }, 'Connection request already pending. Please check your Phantom wallet.'],
    [new Error('Wallet is locked'), 'Failed to connect to Phantom: Wallet is locked'],
    [{}, 'Failed to connect to Phantom: Unknown error'],
  ])('%j', async (thrown, text) => {
    inject({ connect: () => Promise.reject(thrown) })
    show()
    const { person, dialog } = await openDialog()
    await person.click(dialog.getByRole('button', { name: /Phantom/ }))
    expect(await dialog.findByRole('alert')).toHaveTextContent(text)
  })

  test('a response without a public key', async () => {
    inject({ connect: () => Promise.resolve({}) })
    show()
    const { person, dialog } = await openDialog()
    await person.click(dialog.getByRole('button', { name: /Phantom/ }))
    expect(await dialog.findByRole('alert')).toHaveTextContent('Invalid response from Phantom wallet')
  })

  test('a provider that is gone', async () => {
    inject({
      connect: () => {
        delete window.phantom
        return Promise.resolve({ publicKey: 'ann' })
      },
    })
    show()
    const { person, dialog } = await openDialog()
    await person.click(dialog.getByRole('button', { name: /Phantom/ }))
    expect(await dialog.findByRole('alert')).toHaveTextContent('Phantom provider not available')
  })
})

test('a server error is shown, and a retry succeeds', async () => {
  server.verify.mockRejectedValueOnce(new ApiError(401, 'bad_signature', 'no'))
  show()
  const { person, dialog } = await openDialog()
  await person.click(dialog.getByRole('button', { name: /Demo wallet/ }))
  expect(await dialog.findByRole('alert')).toHaveTextContent('The signature doesn’t match this wallet.')
  await person.click(dialog.getByRole('button', { name: 'Try again' }))
  await screen.findByText(/^signed-in/)
})

describe('a text to sign while the last visit’s wallet is reconnecting', () => {
  const signMessage = vi.fn<() => Promise<object>>()
  let reconnectAs: (address: string) => void

  beforeEach(async () => {
    localStorage.setItem('wallet:address', 'ann')
    localStorage.setItem('wallet:connected', 'true')
    vi.spyOn(config, 'session', 'get').mockReturnValue(true)
    server.user.mockResolvedValue(userOf('ann'))
    signMessage.mockReset().mockResolvedValue({ signature: new Uint8Array(64) })
    const connected = new Promise<{ publicKey: string }>((resolve) => {
      reconnectAs = (publicKey) => resolve({ publicKey })
    })
    inject({ connect: () => connected, signMessage })
    show()
    await screen.findByText('signed-in ann')
    await userEvent.click(screen.getByRole('button', { name: 'sign' }))
  })

  test('is signed once it has', async () => {
    reconnectAs('ann')
    expect(await screen.findByText('1'.repeat(64))).toBeInTheDocument()
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  })

  test('is signed by no other account', async () => {
    reconnectAs('bob')
    expect(await screen.findByText('cancelled')).toBeInTheDocument()
    expect(signMessage).not.toHaveBeenCalled()
  })

  test('is forgotten after a logout, which opens no wallet list', async () => {
    await userEvent.click(screen.getByRole('button', { name: 'logout' }))
    await screen.findByText('loading nobody')
    reconnectAs('ann')
    expect(await screen.findByText('cancelled')).toBeInTheDocument()
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
    expect(signMessage).not.toHaveBeenCalled()
  })
})

test('Escape closes the dialog', async () => {
  show()
  const { person } = await openDialog()
  await person.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
})

describe('cached responses', () => {
  const answer = vi.fn<() => Promise<string>>()
  beforeEach(() => void answer.mockResolvedValue('secret'))

  function Secret() {
    const signedIn = useSession().status === 'signed-in'
    const { data } = useQuery({ queryKey: ['secret'], queryFn: answer, enabled: signedIn })
    return <p>{data ?? 'nothing'}</p>
  }

  test('are dropped when their owner signs out', async () => {
    server.user.mockResolvedValue(userOf('ann'))
    show(
      <>
        <Screen />
        <Secret />
      </>,
    )
    await screen.findByText('secret')
    screen.getByRole('button', { name: 'logout' }).click()
    await screen.findByText('nothing')
    expect(answer).toHaveBeenCalledOnce()
  })

  test('with an expired session end it', async () => {
    server.user.mockResolvedValueOnce(userOf('ann'))
    answer.mockRejectedValue(new ApiError(401, 'unauthenticated', 'gone'))
    show(
      <>
        <Screen />
        <Secret />
      </>,
    )
    await screen.findByText('signed-out nobody')
    expect(server.user).toHaveBeenCalledTimes(2)
  })
})
