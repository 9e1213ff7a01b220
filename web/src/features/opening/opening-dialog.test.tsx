import { act, fireEvent, screen, within } from '@testing-library/react'
import confetti from 'canvas-confetti'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { openingTexts } from './texts'
import { opening as t } from './texts/en'
import type { OpenResult } from '@/contract/types'
import { seenCommitment } from '@/lib/seen-commitments'
import { dismissToast } from '@/lib/toast'
import { type Answers, stubApi } from '@test/stub-api'
import { advanceTime, refusal, showDialog as showPack } from '@test/fixtures/opening'
import { newOpenServer, type OpenServer } from '@test/fixtures/open-server'

const celebrate = Object.assign(vi.fn(), { reset: vi.fn() })

const open = 'POST /api/packs/2/open'
const commitment = 'GET /api/fairness/commitment'
/** The first random seed of each test, with which the result was drawn. */
const firstSeed = 'f0'.repeat(32)
let server: OpenServer
let result: OpenResult
let answers: Answers
let calls: Request[]

beforeAll(async () => {
  // Preloaded, because fake timers don't advance imports.
  await Promise.all([import('@/components/ui/dialog-parts'), import('@/lib/protocol/verify-open'), openingTexts.load()])
  server = await newOpenServer('2', 3)
  const request = { packId: '2', clientSeed: firstSeed, manifest: server.manifestHash, ...(await server.current()) }
  result = await server.open(request, 'key')
})

beforeEach(() => {
  vi.useFakeTimers()
  dismissToast()
  vi.spyOn(confetti, 'create').mockReturnValue(celebrate)
  celebrate.mockReset()
  celebrate.reset.mockReset()
  answers = {
    [commitment]: { body: { commitment: result.commitment, nonce: 12, userTag: '00' } },
    [open]: { body: result },
    'GET /api/opens': { body: [] },
    [`GET /api/fairness/manifests/${server.manifestHash}`]: () => new Response(server.manifest),
    ['GET /log/key' as never]: () => new Response(server.signer.verifierKey),
  }
  calls = stubApi(answers)
  vi.spyOn(crypto, 'getRandomValues').mockImplementationOnce((bytes) => (bytes as Uint8Array).fill(0xf0) as never)
  return () => vi.useRealTimers()
})

/** The items in the order in which they are revealed. */
const sorted = () => result.items.toSorted((a, b) => a.baseValueCents - b.baseValueCents)
const showDialog = (balanceCents?: number) => showPack(balanceCents, { manifestHash: server.manifestHash })

/** Stored attempts and keys of unanswered opens. */
const storedAttempts = () => Object.keys(localStorage).filter((key) => /^(?:opening|act):/.test(key))
const opens = () => calls.filter(({ url }) => url.endsWith('/open'))
const keyOf = (call: Request | undefined) => call?.headers.get('Idempotency-Key')
const bodyOf = (call: Request | undefined): Promise<unknown> | undefined => call?.clone().json()
const start = () => fireEvent.click(screen.getByRole('button', { name: /^Start for 25 Play Points/ }))
const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key })
const hidden = () => screen.queryAllByRole('img', { name: /not revealed yet/ }).length
const results = () => screen.queryByRole('heading', { name: 'pack opened!' })
const toastText = () => screen.queryByTestId('toast')?.textContent

describe('intro', () => {
  it('shows pack, price and commitment, and charges nothing', async () => {
    await showDialog()
    expect(screen.getByRole('heading', { name: 'Pokemon' })).toBeVisible()
    expect(screen.getByText('ready to discover what is inside?')).toBeVisible()
    expect(screen.getByText(t.intro.locked)).toBeVisible()
    expect(screen.getByText(t.intro.balanceAfter).parentElement).toHaveTextContent('100.50')
    expect(screen.getByText(result.commitment)).not.toBeVisible()
    fireEvent.click(screen.getByText(t.intro.details))
    expect(screen.getByText(t.intro.lock)).toBeVisible()
    expect(screen.getByText(result.commitment)).toBeVisible()
    await advanceTime(10_000)
    expect(opens()).toEqual([])
  })

  it('can’t start before the commitment has loaded', async () => {
    let show: (response: Response) => void = () => {}
    answers[commitment] = () => new Promise((resolve) => (show = resolve))
    await showDialog()
    expect(screen.getByRole('button', { name: /^Start/ })).toBeDisabled()
    expect(screen.getByLabelText('Your seed')).toHaveValue('')
    show(Response.json({ commitment: result.commitment, nonce: 12, userTag: '00' }))
    await advanceTime(50)
    expect(screen.getByRole('button', { name: /^Start/ })).toBeEnabled()
    expect(screen.getByLabelText<HTMLInputElement>('Your seed').value).toMatch(/^[0-9a-f]{64}$/)
  })

  it('offers to top up instead of starting without enough points', async () => {
    await showDialog(2_000)
    expect(screen.queryByRole('button', { name: /^Start/ })).toBeNull()
    expect(screen.getByText(t.intro.notEnough('5.00'))).toBeVisible()
    expect(screen.getByRole('button', { name: 'Top up 5' })).toBeEnabled()
  })

  it('accepts the visitor’s own seed of 1 to 128 bytes', async () => {
    await showDialog()
    const field = screen.getByLabelText('Your seed')
    fireEvent.change(field, { target: { value: '' } })
    expect(screen.getByRole('button', { name: /^Start/ })).toBeDisabled()
    fireEvent.change(field, { target: { value: '我的种子' } })
    start()
    await advanceTime(500)
    expect(await bodyOf(opens()[0])).toMatchObject({ clientSeed: '我的种子' })
  })

  it('closes on Escape', async () => {
    await showDialog()
    press('Escape')
    await advanceTime(50)
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  })
})

describe('the show', () => {
  it('sends the request half a second after the start, and reveals one item every 0.8 s', async () => {
    await showDialog()
    start()
    await advanceTime(499)
    expect(screen.getAllByText('opening pack...').length).toBeGreaterThan(0)
    expect(opens()).toHaveLength(0)
    await advanceTime(1)
    expect(opens()).toHaveLength(1)
    await advanceTime(1499)
    expect(hidden()).toBe(0)
    await advanceTime(1)
    expect(hidden()).toBe(3)
    await advanceTime(800)
    expect(hidden()).toBe(2)
    expect(screen.getByRole('img', { name: sorted()[0]!.name })).toBeInTheDocument()
    await advanceTime(800)
    expect(hidden()).toBe(1)
    await advanceTime(800)
    expect(hidden()).toBe(0)
    expect(results()).not.toBeInTheDocument()
    await advanceTime(1600)
    expect(results()).toBeVisible()
    expect(toastText()).toBe('Pack Opened!|You pulled 3 items!|default')
  })

  it('waits for a late response', async () => {
    let answer: (response: Response) => void = () => {}
    answers[open] = () => new Promise((resolve) => (answer = resolve))
    await showDialog()
    start()
    await advanceTime(6000)
    expect(screen.getAllByText('opening pack...').length).toBeGreaterThan(0)
    answer(Response.json(result))
    await advanceTime(0)
    expect(hidden()).toBe(3)
  })

  it('announces revealed items to screen readers', async () => {
    await showDialog()
    start()
    await advanceTime(2800)
    const [{ name, baseValueCents } = result.items[0]!] = sorted()
    const value = `$${(baseValueCents / 100).toFixed(2)}`
    expect(screen.getByText(`Item 1 of 3: ${name}, Rare, ${value}`)).toHaveAttribute('role', 'status')
  })

  it('shows 100 particles 0.4 s after an Epic or better, and none for less', async () => {
    const rarities = ['Common', 'Rare', 'Epic']
    answers[open] = () =>
      Response.json({ ...result, items: result.items.map((item, i) => ({ ...item, rarity: rarities[i] })) })
    await showDialog()
    start()
    await advanceTime(2000 + 3 * 800 + 399)
    expect(celebrate).not.toHaveBeenCalled()
    await advanceTime(2)
    expect(celebrate).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ particleCount: 100 }))
  })

  it.each([
    ['another is opened', () => fireEvent.click(screen.getByRole('button', { name: /^open another/ }))],
    ['the verification opens', () => fireEvent.click(screen.getByRole('button', { name: 'verify fairness' }))],
    ['the dialog closes', () => press('Escape')],
  ])('stops the particles when %s', async (_, end) => {
    celebrate.mockReturnValue(new Promise(() => {}))
    answers[open] = () => Response.json({ ...result, items: result.items.map((item) => ({ ...item, rarity: 'Epic' })) })
    await showDialog()
    start()
    await advanceTime(2000 + 3 * 800 + 1600)
    expect(results()).toBeVisible()
    expect(celebrate).toHaveBeenCalledTimes(3)
    expect(celebrate.reset).not.toHaveBeenCalled()
    end()
    await advanceTime(0)
    expect(celebrate.reset).toHaveBeenCalledTimes(3)
  })

  it.each([
    ['a click', () => fireEvent.click(screen.getByRole('button', { name: 'Skip' }))],
    ['Escape', () => press('Escape')],
  ])('skips animation and reveal with %s', async (_, skip) => {
    await showDialog()
    start()
    await advanceTime(700)
    skip()
    await advanceTime(0)
    expect(hidden()).toBe(3)
    skip()
    await advanceTime(0)
    expect(results()).toBeVisible()
  })

  it('leaves Space and Enter to a focused button', async () => {
    await showDialog()
    start()
    await advanceTime(700)
    expect(screen.getByRole('button', { name: 'Skip' })).toHaveFocus()
  })
})

describe('results', () => {
  async function toResults() {
    await showDialog()
    start()
    await advanceTime(700)
    press('Escape')
    await advanceTime(0)
    press('Escape')
    await advanceTime(0)
  }

  it('shows count, total against price and every card', async () => {
    await toResults()
    const dialog = within(screen.getByRole('dialog'))
    expect(dialog.getByText(/3 cards/)).toBeVisible()
    expect(dialog.getByText(`$${(result.totalValueCents / 100).toFixed(2)}`)).toBeVisible()
    expect(dialog.getByText('$25.00')).toBeVisible()
    expect(dialog.getAllByRole('img', { name: /^Card/ })).toHaveLength(3)
    expect(dialog.getAllByText('Rare')).toHaveLength(3)
  })

  it('copies the results', async () => {
    const writeText = vi.fn(() => Promise.resolve())
    vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText } })
    await toResults()
    fireEvent.click(screen.getByRole('button', { name: 'copy results' }))
    await advanceTime(0)
    expect(writeText).toHaveBeenCalledWith(
      expect.stringMatching(/^Card 12-1 - Rare - \$[\d.]+\n.*\n.*\nTotal: \$[\d.]+$/),
    )
    expect(toastText()).toBe('results copied||default')
  })

  it('shares the openings in a dialog', async () => {
    await toResults()
    fireEvent.click(screen.getByRole('button', { name: 'share' }))
    await advanceTime(0)
    expect(screen.getByText('sharing of 1')).toBeInTheDocument()
  })

  it('offers to keep each item', async () => {
    await toResults()
    for (const { name } of result.items) expect(screen.getByText(`keep ${name}`)).toBeVisible()
  })

  it('shows the seeds and verifies them against the commitment shown before', async () => {
    await toResults()
    fireEvent.click(screen.getByRole('button', { name: 'verify fairness' }))
    await advanceTime(0)
    expect(toastText()).toContain(result.clientSeed)
    expect(toastText()).toContain(result.serverSeedRevealed)
    expect(screen.getByText('verification of 1')).toBeVisible()
    expect(seenCommitment(result.openId)).toBe(result.commitment)
  })

  it('says that the server seed is revealed after opening', async () => {
    answers[open] = () => Response.json({ ...result, serverSeedRevealed: '' })
    await toResults()
    fireEvent.click(screen.getByRole('button', { name: 'verify fairness' }))
    await advanceTime(0)
    expect(toastText()).toContain('available after opening')
  })

  it('opens another one from an empty intro, with a new seed', async () => {
    await toResults()
    fireEvent.click(screen.getByRole('button', { name: /^open another/ }))
    await advanceTime(50)
    expect(screen.getByText('ready to discover what is inside?')).toBeVisible()
    start()
    await advanceTime(500)
    const [first, second] = opens()
    expect(keyOf(second)).not.toBe(keyOf(first))
    expect(await bodyOf(second)).not.toEqual(await bodyOf(first))
  })
})

describe('nothing is lost', () => {
  it('sends nothing when the dialog is closed within half a second', async () => {
    await showDialog()
    start()
    await advanceTime(300)
    fireEvent.click(screen.getByRole('button', { name: 'Close' }))
    await advanceTime(5000)
    expect(opens()).toEqual([])
  })

  it('reports the pull when the response arrives after the dialog was closed', async () => {
    let answer: (response: Response) => void = () => {}
    answers[open] = () => new Promise((resolve) => (answer = resolve))
    await showDialog()
    start()
    await advanceTime(600)
    fireEvent.click(screen.getByRole('button', { name: 'Close' }))
    await act(async () => answer(Response.json(result)))
    await advanceTime(50)
    expect(toastText()).toBe('Pack Opened!|You pulled 3 items!|default')
    expect(storedAttempts()).toEqual([])
  })

  it.each<[string, () => Response]>([
    [
      'a lost request',
      () => {
        throw new TypeError('Failed to fetch')
      },
    ],
    ['a gateway error', () => new Response('<html>Bad gateway</html>', { status: 502 })],
  ])('retries %s with the same seed and key, without a second charge', async (_, lose) => {
    let lost = 2
    answers[open] = () => (lost-- > 0 ? lose() : Response.json(result))
    await showDialog()
    start()
    await advanceTime(500 + 2 * 1000 + 100)
    expect(opens()).toHaveLength(3)
    const sent = opens().map(async (call) => JSON.stringify([keyOf(call), await bodyOf(call)]))
    expect(new Set(await Promise.all(sent)).size).toBe(1)
    expect(hidden()).toBe(3)
  })

  it('keeps an unanswered attempt across a reload, with its seed locked', async () => {
    answers[open] = () => {
      throw new TypeError('Failed to fetch')
    }
    await showDialog()
    start()
    await advanceTime(4000)
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
    expect(toastText()).toContain(`${t.toast.error}|${t.toast.unanswered}`)
    // The commitment has changed meanwhile, because the server processed the lost request.
    answers[commitment] = () => Response.json({ commitment: 'ff'.repeat(32), nonce: 13, userTag: '00' })
    answers[open] = () => Response.json(result, { headers: { 'Idempotency-Replayed': 'true' } })
    fireEvent.click(screen.getByRole('button', { name: 'again' }))
    await advanceTime(50)
    expect(screen.getByText(t.intro.unanswered)).toBeVisible()
    expect(screen.getByLabelText('Your seed')).toHaveAttribute('readonly')
    start()
    await advanceTime(600)
    const [first, last] = [opens()[0], opens().at(-1)]
    expect([keyOf(last), await bodyOf(last)]).toEqual([keyOf(first), await bodyOf(first)])
    expect(storedAttempts()).toEqual([])
  })

  it.each(['commitment_changed', 'manifest_changed'])('makes a new seed for the current terms on %s', async (code) => {
    const details = { commitment: 'cc'.repeat(32), nonce: 13, manifest: 'dd'.repeat(32) }
    answers['GET /api/opens'] = { body: [{ ...result, openId: 'elsewhere' }] }
    answers[open] = refusal(409, code, details)
    await showDialog()
    const seed = screen.getByLabelText<HTMLInputElement>('Your seed').value
    start()
    await advanceTime(600)
    expect(opens()).toHaveLength(1)
    const kept = JSON.parse(Object.values(localStorage)[0] as string) as Record<string, unknown>
    expect(kept).toMatchObject({ commitment: details.commitment, manifest: details.manifest, sent: false })
    expect(kept['clientSeed']).not.toBe(seed)
  })
})

describe('an error', () => {
  it.each([
    [402, 'insufficient_funds', 'Not enough Play Points. You weren’t charged.'],
    [410, 'sold_out', 'This pack is sold out. You weren’t charged.'],
    [418, 'odd_new_code', 'server: odd_new_code'],
  ])('%s %s closes the dialog and explains what happened', async (status, code, text) => {
    answers[open] = refusal(status, code)
    await showDialog()
    start()
    await advanceTime(600)
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
    expect(toastText()).toBe(`Error Opening Pack|${text}|destructive`)
    expect(opens()).toHaveLength(1)
  })

  it('of the commitment charges nothing and can be retried', async () => {
    answers[commitment] = refusal(503, 'unavailable')
    await showDialog()
    expect(screen.getByRole('alert')).toHaveTextContent(t.intro.lockFailed)
    answers[commitment] = () => Response.json({ commitment: result.commitment, nonce: 12, userTag: '00' })
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    await advanceTime(50)
    expect(screen.getByText(result.commitment)).toBeInTheDocument()
  })
})
