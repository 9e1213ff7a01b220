import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { gifts as t, give, giftErrors, linked, refuse } from '@/features/gifts/texts/en'
import { sellBack } from '@/features/sellback/texts/en'
import type { Gift, GiftChallenge, LinkedGift } from '@/contract/types'
import { giftSecretHash, keepGivenSecret } from '@/lib/gift-secret'
import { dismissToast } from '@/lib/toast'
import { someEntry, someUser } from '@test/data'
import { renderPage, signedIn, signedOut } from '@test/render-page'
import { type Answers, notFound, stubApi } from '@test/stub-api'
import { expectToast } from '@test/expect-toast'

const secret = '00112233445566778899aabbccddeeff'
const { item } = someEntry('e1')
const ann = { firstName: 'Ann', profileImageUrl: '' }
const receiver = '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T'

const someGift = (more: Partial<Gift> = {}): Gift => ({
  id: 'g1',
  side: 'given',
  state: 'waiting',
  link: false,
  walletAddress: receiver,
  items: [{ inventoryId: 'e1', item }],
  valueCents: item.baseValueCents,
  createdAt: '2026-11-20T10:00:00.000Z',
  expiresAt: '2026-11-27T10:00:00.000Z',
  ...more,
})
const receivedGift = (more: Partial<Gift> = {}): Gift => {
  const { walletAddress: _, ...gift } = someGift({ side: 'received', from: ann, ...more })
  return gift
}
const offer = (more: Partial<LinkedGift> = {}): LinkedGift => ({
  state: 'waiting',
  own: false,
  from: ann,
  items: [item],
  valueCents: item.baseValueCents,
  expiresAt: '2026-11-27T10:00:00.000Z',
  ...more,
})

const press = (button: HTMLElement) => act(() => userEvent.click(button))
const to = (seen: Request[], path: string) => seen.filter(({ url }) => new URL(url).pathname === path)
const bodyOf = async (request: Request | undefined) => (await request?.clone().json()) as unknown
/** Answers to the list's calls by their state. */
const lists = (waiting: Gift[], ended: Gift[] = []): Answers => ({
  'GET /api/gifts': ({ url }) => Response.json(new URL(url).searchParams.get('state') === 'waiting' ? waiting : ended),
  'GET /api/blocked-givers': { body: [] },
})

beforeEach(dismissToast)

describe('a gift link', () => {
  it('shows the gift to visitors, and sends the secret in the request’s body only', async () => {
    const seen = stubApi({ 'POST /api/gifts/g1/view': { body: offer() } })
    const { history } = renderPage(`/gift/g1#${secret}`)
    expect(await screen.findByRole('heading', { level: 1, name: linked.heading('Ann') })).toBeVisible()
    expect(screen.getByText(item.name)).toBeVisible()
    expect(screen.getByRole('button', { name: linked.connect })).toBeEnabled()
    expect(await bodyOf(to(seen, '/api/gifts/g1/view')[0])).toEqual({ secret })
    await waitFor(() => expect(history.location.href).toBe('/gift/g1'))
    expect(history.length).toBe(1)
    expect(seen.filter(({ url }) => url.includes(secret))).toEqual([])
    expect(document.title).not.toContain(secret)
  })

  it('is accepted by a signed-in visitor', async () => {
    const seen = stubApi({
      'POST /api/gifts/g1/view': { body: offer() },
      'POST /api/gifts/g1/accept': { body: receivedGift({ state: 'accepted', link: true }) },
    })
    renderPage(`/gift/g1#${secret}`, signedIn)
    await press(await screen.findByRole('button', { name: t.accept }))
    expect(await screen.findByRole('heading', { name: linked.mineTitle })).toBeVisible()
    const [accepted] = to(seen, '/api/gifts/g1/accept')
    expect(await bodyOf(accepted)).toEqual({ secret })
    expect(accepted?.headers.get('Idempotency-Key')).toBeTruthy()
  })

  it('says why it can’t be accepted', async () => {
    const refusal = { status: 403, body: { code: 'forbidden', message: 'No.', requestId: 'r1' } }
    stubApi({ 'POST /api/gifts/g1/view': { body: offer() }, 'POST /api/gifts/g1/accept': refusal })
    renderPage(`/gift/g1#${secret}`, signedIn)
    await press(await screen.findByRole('button', { name: t.accept }))
    await expectToast(t.acceptFailed, giftErrors.forbidden)
    expect(screen.getByRole('button', { name: t.accept })).toBeEnabled()
  })

  it('survives a reload of the tab', async () => {
    const seen = stubApi({ 'POST /api/gifts/g1/view': { body: offer() } })
    sessionStorage.setItem('gift-opened:g1', secret)
    renderPage('/gift/g1')
    expect(await screen.findByRole('heading', { name: linked.heading('Ann') })).toBeVisible()
    expect(await bodyOf(to(seen, '/api/gifts/g1/view')[0])).toEqual({ secret })
  })

  it('names an anonymous giver', async () => {
    stubApi({ 'POST /api/gifts/g1/view': { body: offer({ from: { firstName: '', profileImageUrl: '' } }) } })
    renderPage(`/gift/g1#${secret}`)
    expect(await screen.findByRole('heading', { name: linked.headingAnonymous })).toBeVisible()
  })

  it('shows its giver the link again', async () => {
    keepGivenSecret('g1', secret)
    stubApi({ 'POST /api/gifts/g1/view': { body: offer({ own: true }) } })
    renderPage('/gift/g1', signedIn)
    expect(await screen.findByRole('heading', { name: linked.ownHeading })).toBeVisible()
    expect(screen.getByRole('textbox', { name: t.link })).toHaveValue(`${window.location.origin}/gift/g1#${secret}`)
    expect(screen.queryByRole('button', { name: t.accept })).not.toBeInTheDocument()
  })

  it.each(['accepted', 'canceled', 'expired'] as const)('says that the gift is %s', async (state) => {
    stubApi({ 'POST /api/gifts/g1/view': { body: offer({ state }) } })
    renderPage(`/gift/g1#${secret}`)
    expect(await screen.findByRole('heading', { level: 1, name: linked.ended[state].title })).toBeVisible()
  })

  it('says that no gift has this link', async () => {
    stubApi({ 'POST /api/gifts/g1/view': notFound })
    renderPage(`/gift/g1#${secret}`)
    expect(await screen.findByRole('heading', { level: 1, name: linked.unknown })).toBeVisible()
  })

  it.each(['/gift/g2', '/gift/g2#abc'])('without a whole secret asks for the whole link: %s', async (path) => {
    stubApi({})
    renderPage(path)
    expect(await screen.findByRole('heading', { level: 1, name: linked.incomplete })).toBeVisible()
  })
})

describe('gifts', () => {
  it('show where they waited how they ended, while the pointer rests on them', async () => {
    const other = receivedGift({ id: 'g2' })
    let refetch: ((answer: Response) => void) | undefined
    stubApi({
      ...lists([receivedGift(), other]),
      'POST /api/gifts/g1/accept': () => {
        stubApi({
          ...lists([]),
          'GET /api/gifts': ({ url }) =>
            url.includes('state=waiting')
              ? new Promise<Response>((resolve) => (refetch = resolve))
              : Response.json([receivedGift({ state: 'accepted' })]),
        })
        return Response.json(receivedGift({ state: 'accepted' }))
      },
    })
    renderPage('/gifts', signedIn)
    const waiting = within(await screen.findByRole('list', { name: t.waiting }))
    const [first] = await waiting.findAllByRole('article')
    await press(within(first!).getByRole('button', { name: t.accept }))
    await expectToast(t.accepted)
    expect(await within(first!).findByText(t.states.accepted)).toBeVisible()
    await act(async () => refetch?.(Response.json([other])))
    expect(within(first!).getByText(t.states.accepted)).toBeVisible()
    expect(within(first!).queryByRole('button')).not.toBeInTheDocument()
    expect(waiting.getAllByRole('button', { name: t.accept })).toHaveLength(1)
  })

  it('that were received are accepted, or refused and their giver blocked', async () => {
    const seen = stubApi({
      ...lists([receivedGift()], [receivedGift({ id: 'g0', state: 'expired' })]),
      'POST /api/gifts/g1/accept': { body: receivedGift({ state: 'accepted' }) },
      'POST /api/gifts/g1/refuse': { body: receivedGift({ state: 'refused' }) },
    })
    renderPage('/gifts', signedIn)
    const card = within(await screen.findByRole('list', { name: t.waiting })).getByRole('article')
    expect(card).toHaveTextContent(t.from('Ann'))
    const past = within(await screen.findByRole('list', { name: t.past })).getByRole('article')
    expect(past).toHaveTextContent(t.states.expired)
    await press(within(card).getByRole('button', { name: t.accept }))
    await expectToast(t.accepted)
    expect(await bodyOf(to(seen, '/api/gifts/g1/accept')[0])).toEqual({})

    await press(within(card).getByRole('button', { name: t.refuse }))
    const dialog = await screen.findByRole('dialog', { name: refuse.title })
    await press(within(dialog).getByRole('checkbox', { name: refuse.block('Ann') }))
    await press(within(dialog).getByRole('button', { name: refuse.confirm }))
    await expectToast(refuse.doneBlocked)
    expect(await bodyOf(to(seen, '/api/gifts/g1/refuse')[0])).toEqual({ blockGiver: true })
  })

  it('for the wallet are accepted without a secret, also after a wrong link to them was opened', async () => {
    sessionStorage.setItem('gift-opened:g1', secret)
    const seen = stubApi({
      ...lists([receivedGift()]),
      'POST /api/gifts/g1/accept': { body: receivedGift({ state: 'accepted' }) },
    })
    renderPage('/gifts', signedIn)
    await press(await screen.findByRole('button', { name: t.accept }))
    await expectToast(t.accepted)
    expect(await bodyOf(to(seen, '/api/gifts/g1/accept')[0])).toEqual({})
  })

  it('that were given by link show the link, or that it is lost, until they are canceled', async () => {
    keepGivenSecret('g1', secret)
    const { walletAddress: _, ...byLink } = someGift({ link: true })
    stubApi({
      ...lists([byLink, { ...byLink, id: 'g2' }]),
      'POST /api/gifts/g1/cancel': { body: { ...byLink, state: 'canceled' } },
    })
    renderPage('/gifts?side=given', signedIn)
    const cards = within(await screen.findByRole('list', { name: t.waiting })).getAllByRole('article')
    expect(within(cards[0]!).getByRole('textbox', { name: t.link })).toHaveValue(
      `${window.location.origin}/gift/g1#${secret}`,
    )
    expect(cards[1]).toHaveTextContent(t.linkLost)
    await press(within(cards[0]!).getByRole('button', { name: t.cancel }))
    await expectToast(t.canceled)
    expect(localStorage.getItem('gift:g1')).toBeNull()
  })

  it('of blocked givers come back when they are unblocked', async () => {
    const blocked = { id: 'b1', giver: ann, blockedAt: '2026-11-20T10:00:00.000Z' }
    const seen = stubApi({
      ...lists([]),
      'GET /api/blocked-givers': { body: [blocked] },
      'DELETE /api/blocked-givers/b1': () => new Response(null, { status: 204 }),
    })
    renderPage('/gifts', signedIn)
    await press(await screen.findByRole('button', { name: t.unblockOf('Ann') }))
    await expectToast(t.unblocked)
    expect(to(seen, '/api/blocked-givers/b1')).toHaveLength(1)
  })

  it('are turned on again where they are missed', async () => {
    const user = { ...someUser, acceptsGifts: false }
    const seen = stubApi({ ...lists([]), 'PATCH /api/auth/user': { body: { ...user, acceptsGifts: true } } })
    renderPage('/gifts', { ...signedIn, user })
    await press(await screen.findByRole('button', { name: t.turnOn }))
    await expectToast(t.turnedOn)
    expect(await bodyOf(to(seen, '/api/auth/user')[0])).toEqual({ acceptsGifts: true })
  })

  it('ask signed-out visitors for a wallet', async () => {
    const seen = stubApi({})
    renderPage('/gifts', signedOut)
    expect(await screen.findByText(t.signInTitle)).toBeVisible()
    expect(to(seen, '/api/gifts')).toEqual([])
  })
})

describe('giving', () => {
  const [first, second] = [someEntry('e1'), someEntry('e2')]
  const challenge: GiftChallenge = {
    message: 'exactly this',
    valueCents: 12_345,
    expiresAt: '2026-11-20T10:05:00.000Z',
  }
  const show = (more: Answers, path = '/vault') => {
    const seen = stubApi({
      'GET /api/vault': { body: [first, second] },
      'GET /api/packs': { body: [] },
      'POST /api/gifts/challenge': { body: challenge },
      ...more,
    })
    renderPage(path, signedIn)
    return seen
  }
  const openDialog = async () => {
    const [button] = await screen.findAllByRole('button', { name: sellBack.giveItem(first.item.name) })
    await act(async () => {
      await userEvent.click(button!)
      await Promise.all([import('@/features/gifts/give-dialog'), import('@/components/ui/dialog-parts')])
    })
    return within(await screen.findByRole('dialog'))
  }

  it('by link sends only the secret’s hash, and shows the link', async () => {
    const { walletAddress: _, ...byLink } = someGift({ link: true })
    const seen = show({ 'POST /api/gifts': { body: byLink } })
    const dialog = await openDialog()
    await press(dialog.getByRole('button', { name: give.next }))
    expect(await dialog.findByText('exactly this')).toBeVisible()
    await press(dialog.getByRole('button', { name: give.sign(1) }))
    const link = await dialog.findByRole<HTMLInputElement>('textbox', { name: t.link })
    const made = new URL(link.value).hash.slice(1)
    expect(made).toMatch(/^[0-9a-f]{32}$/)
    expect(localStorage.getItem('gift:g1')).toBe(made)
    const secretHash = await giftSecretHash(made)
    expect(await bodyOf(to(seen, '/api/gifts')[0])).toEqual({ inventoryIds: ['e1'], secretHash, signature: '1' })
    const sent = await Promise.all(seen.map((request) => request.clone().text()))
    expect(sent.filter((body, index) => body.includes(made) || seen[index]!.url.includes(made))).toEqual([])
  })

  it('to a wallet checks the address first', async () => {
    const seen = show({ 'POST /api/gifts': { body: someGift() } })
    const dialog = await openDialog()
    await press(dialog.getByRole('radio', { name: give.toWallet }))
    const address = dialog.getByRole('textbox', { name: give.address })
    const next = dialog.getByRole('button', { name: give.next })
    await press(next)
    expect(dialog.getByText(give.addressInvalid)).toBeVisible()
    expect(address).toHaveFocus()
    await act(() => userEvent.type(address, receiver))
    await press(next)
    await press(await dialog.findByRole('button', { name: give.back }))
    expect(dialog.getByRole('textbox', { name: give.address })).toHaveValue(receiver)
    await press(dialog.getByRole('button', { name: give.next }))
    await press(await dialog.findByRole('button', { name: give.sign(1) }))
    await expectToast(give.done)
    expect(await bodyOf(to(seen, '/api/gifts')[0])).toMatchObject({ walletAddress: receiver, inventoryIds: ['e1'] })
  })

  it('says which items can’t be given, and leaves them out', async () => {
    const refused = {
      status: 409,
      body: { code: 'already_listed', message: 'No.', requestId: 'r1', details: { inventoryIds: ['e1'] } },
    }
    show({ 'POST /api/gifts/challenge': refused })
    await press(await screen.findByRole('button', { name: sellBack.select }))
    await press(screen.getByRole('button', { name: sellBack.all }))
    await act(async () => {
      await userEvent.click(screen.getByRole('button', { name: sellBack.giveMany(2) }))
      await Promise.all([import('@/features/gifts/give-dialog'), import('@/components/ui/dialog-parts')])
    })
    const dialog = within(await screen.findByRole('dialog', { name: give.title(2) }))
    await press(dialog.getByRole('button', { name: give.next }))
    await expectToast(give.messageFailed, giftErrors.already_listed)
    expect(dialog.getByText(give.refusedMark)).toBeVisible()
    await press(dialog.getByRole('button', { name: give.leaveOut(1) }))
    expect(await screen.findByRole('dialog', { name: give.title(1) })).toBeVisible()
  })

  it('names the limit that was reached', async () => {
    const limit = (details: object) => ({
      status: 403,
      body: { code: 'limit_reached', message: 'No.', requestId: 'r1', details },
    })
    show({ 'POST /api/gifts/challenge': limit({ limit: 'gifts-waiting', most: 3 }) })
    const dialog = await openDialog()
    await press(dialog.getByRole('button', { name: give.next }))
    await expectToast(give.messageFailed, giftErrors.waiting('3'))
  })
})
