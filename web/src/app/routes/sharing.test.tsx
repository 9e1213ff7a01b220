import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { opens } from '@/features/inventory/texts/en'
import { pullsTexts } from '@/features/pulls/texts'
import { share as t } from '@/features/pulls/texts/en'
import type { Opening } from '@/contract/types'
import { dismissToast } from '@/lib/toast'
import { pokemonDetail } from '@test/data'
import { expectToast } from '@test/expect-toast'
import { renderPage, signedIn } from '@test/render-page'
import { type Answers, stubApi } from '@test/stub-api'

const [charizard] = pokemonDetail.showcase
const opening: Opening = {
  openId: 'o1',
  state: 'open',
  packId: '2',
  packName: 'Pokemon',
  priceCents: 2500,
  createdAt: '2026-11-28T14:03:21.000Z',
  items: [{ ...charizard!, inventoryId: 'e1', sellBackCents: 1, sellBackUntil: null }],
  totalValueCents: 12_345,
  serverSeedRevealed: '00',
  commitment: '00',
  clientSeed: 'x',
  nonce: 0,
  manifestHash: '00',
  drawSeq: 0,
  shared: false,
}
const previewUrl = '/media/previews/pull/o1.png?v=1'

/** A server that shares the open when asked to. `picture` answers whether its picture is drawn. */
function server(more: Answers = {}, picture = () => new Response(null)) {
  let shared = false
  const seen = stubApi({
    'GET /api/opens': () => Response.json([{ ...opening, shared }]),
    'GET /api/opens/o1': () => Response.json({ ...opening, shared, receipt: '' }),
    'PATCH /api/pulls/o1': async (request) => {
      ;({ shared } = (await request.json()) as { shared: boolean })
      return Response.json({ shared, ...(shared && { previewUrl }) })
    },
    'GET /api/pulls/o1': () =>
      Response.json({ openId: 'o1', pack: { id: '2', name: 'Pokemon' }, items: [], previewUrl, language: 'en' }),
    ...more,
  })
  const api = fetch
  vi.stubGlobal('fetch', (input: RequestInfo | URL, init?: RequestInit) =>
    input === previewUrl ? Promise.resolve(picture()) : api(input, init),
  )
  return seen
}

const sentTo = async (seen: Request[]) =>
  Promise.all(
    seen
      .filter(({ method, url }) => method === 'PATCH' && url.endsWith('/api/pulls/o1'))
      .map((request) => request.clone().json() as Promise<unknown>),
  )

async function openDialog() {
  renderPage('/my-opens', signedIn)
  const button = await screen.findByRole('button', { name: opens.actionOf(opens.share, 'Pokemon') })
  await act(async () => {
    await userEvent.click(button)
    await Promise.all([
      import('@/features/pulls/share-dialog'),
      import('@/components/ui/dialog-parts'),
      pullsTexts.load(),
    ])
  })
  return within(await screen.findByRole('dialog', { name: t.title }))
}

beforeEach(dismissToast)

describe('a pull', () => {
  it('is shared with a switch, in the page’s language, after a word about the public log', async () => {
    const seen = server()
    const dialog = await openDialog()
    const shared = await dialog.findByRole('switch', { name: t.on, checked: false })
    expect(shared).toHaveAccessibleDescription(t.before)
    expect(dialog.getByRole('button', { name: t.copyLink })).toBeDisabled()
    expect(dialog.getByRole('button', { name: t.save })).toBeDisabled()

    await userEvent.click(shared)
    expect(await dialog.findByRole('switch', { name: t.on, checked: true })).toHaveAccessibleDescription(t.after)
    expect(await dialog.findByRole('img', { name: t.preview })).toHaveAttribute('src', previewUrl)
    const save = dialog.getByRole('link', { name: t.save })
    expect(save).toHaveAttribute('href', previewUrl)
    expect(save).toHaveAttribute('download', 'kaibao-o1.png')
    expect(await sentTo(seen)).toEqual([{ shared: true, language: 'en' }])
    expect(await screen.findByText(opens.shared)).toBeInTheDocument()

    await userEvent.setup().click(dialog.getByRole('button', { name: t.copyLink }))
    expect(await navigator.clipboard.readText()).toBe(`${location.origin}/pull/o1`)

    await userEvent.click(dialog.getByRole('switch', { name: t.on }))
    expect(await dialog.findByRole('switch', { name: t.on, checked: false })).toHaveFocus()
    expect(dialog.queryByRole('img', { name: t.preview })).not.toBeInTheDocument()
    expect((await sentTo(seen)).at(-1)).toEqual({ shared: false, language: 'en' })
  })

  it('shows its picture once the server has drawn it', async () => {
    let checks = 0
    server({}, () => new Response(null, { headers: checks++ === 0 ? { 'Retry-After': '1' } : {} }))
    const dialog = await openDialog()
    await userEvent.click(await dialog.findByRole('switch', { name: t.on }))
    expect(await dialog.findByText(t.previewDrawing)).toBeInTheDocument()
    expect(dialog.queryByRole('img', { name: t.preview })).not.toBeInTheDocument()
    expect(dialog.getByRole('button', { name: t.save })).toBeDisabled()
    await dialog.findByRole('img', { name: t.preview }, { timeout: 3000 })
    expect(dialog.queryByText(t.previewDrawing)).not.toBeInTheDocument()
    expect(checks).toBe(2)
  })

  it('can’t be seen, sent or pictured while its owner’s pages are hidden', async () => {
    Object.defineProperty(navigator, 'share', { value: () => Promise.resolve(), configurable: true })
    onTestFinished(() => void Reflect.deleteProperty(navigator, 'share'))
    server({
      'GET /api/pulls/o1': { status: 404, body: { code: 'not_found', message: 'No.', requestId: 'r1' } },
    })
    const dialog = await openDialog()
    await userEvent.click(await dialog.findByRole('switch', { name: t.on }))
    await dialog.findByText(t.hidden)
    expect(dialog.getByRole('switch', { name: t.on, checked: true })).toHaveAccessibleDescription(t.hidden)
    for (const name of [t.copyLink, t.save, t.send]) expect(dialog.getByRole('button', { name })).toBeDisabled()
    expect(dialog.queryByText(t.previewLater)).not.toBeInTheDocument()
    await userEvent.click(dialog.getByRole('switch', { name: t.on }))
    expect(await dialog.findByText(t.before)).toBeInTheDocument()
    expect(dialog.getByText(t.previewLater)).toBeInTheDocument()
  })

  it('is shared once if the first answer is lost', async () => {
    let calls = 0
    const seen = server()
    const dialog = await openDialog()
    const asked = fetch
    vi.stubGlobal('fetch', (input: RequestInfo | URL, init?: RequestInit) => {
      if (input instanceof Request && input.method === 'PATCH' && calls++ === 0) {
        return Promise.reject(new TypeError('Failed to fetch'))
      }
      return asked(input, init)
    })
    await userEvent.click(await dialog.findByRole('switch', { name: t.on }))
    await dialog.findByRole('img', { name: t.preview }, { timeout: 3000 })
    expect(calls).toBe(2)
    expect(await sentTo(seen)).toEqual([{ shared: true, language: 'en' }])
  })

  it('stays as it is if the server refuses', async () => {
    server({
      'PATCH /api/pulls/o1': { status: 403, body: { code: 'account_frozen', message: 'No.', requestId: 'r1' } },
    })
    const dialog = await openDialog()
    await userEvent.click(await dialog.findByRole('switch', { name: t.on }))
    await expectToast(t.failed)
    expect(await dialog.findByRole('switch', { name: t.on, checked: false })).toBeEnabled()
  })
})
