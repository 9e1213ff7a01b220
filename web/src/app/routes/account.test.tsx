import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { profilesTexts } from '@/features/profiles/texts'
import { settings as t, showcase } from '@/features/profiles/texts/en'
import { errors } from '@/i18n/texts/en'
import type { User } from '@/contract/types'
import { dateTime } from '@/lib/format'
import { dismissToast } from '@/lib/toast'
import { someEntry, someUser } from '@test/data'
import { expectToast } from '@test/expect-toast'
import { renderPage, signedIn } from '@test/render-page'
import { type Answers, notFound, stubApi } from '@test/stub-api'

const press = (element: HTMLElement) => act(() => userEvent.click(element))

async function show(user: Partial<User>, answers: Answers = {}) {
  const seen = stubApi({
    'GET /api/account/data': notFound,
    'PATCH /api/auth/user': { body: someUser },
    'GET /api/inventory/me': { body: [] },
    ...answers,
  })
  await act(async () => {
    await Promise.all([import('@/features/profiles/profile-settings'), profilesTexts.load()])
  })
  renderPage('/account', { ...signedIn, user: { ...someUser, ...user } })
  await screen.findByRole('region', { name: t.heading })
  return seen
}

const refusal = (code: string, more: object = {}) => ({
  status: code === 'handle_not_allowed' ? 403 : 409,
  body: { code, message: 'No.', requestId: 'r1', ...more },
})
const sent = (seen: Request[]) =>
  Promise.all(
    seen.filter(({ method }) => method === 'PATCH').map((request) => request.clone().json() as Promise<unknown>),
  )
const field = () => screen.getByRole('textbox', { name: t.handle })

beforeEach(dismissToast)

describe('the handle', () => {
  it('is saved in lower case', async () => {
    const seen = await show({})
    expect(field()).toHaveAccessibleDescription(expect.stringContaining(t.rules))
    expect(screen.getByRole('button', { name: t.save })).toBeDisabled()
    await userEvent.type(field(), 'Ann-1')
    await press(screen.getByRole('button', { name: t.save }))
    await expectToast(t.saved)
    expect(await sent(seen)).toEqual([{ handle: 'ann-1' }])
  })

  it.each(['ab', '-ann', 'ann-', 'a--b', 'ann_lee', '安安安'])('can’t be %s', async (typed) => {
    const seen = await show({})
    await userEvent.type(field(), typed)
    await press(screen.getByRole('button', { name: t.save }))
    expect(field()).toBeInvalid()
    expect(field()).toHaveAccessibleDescription(expect.stringContaining(t.problems.format))
    expect(await sent(seen)).toEqual([])
  })

  const changeableAt = '2026-12-28T14:03:00.000Z'
  it.each([
    [refusal('handle_taken'), errors.handle_taken],
    [refusal('handle_not_allowed'), errors.handle_not_allowed],
    [
      refusal('handle_too_soon', { details: { changeableAt } }),
      errors.handle_too_soon.replace('{changeableAt}', '2026-12-28 14:03 UTC'),
    ],
    [
      { status: 422, body: { code: 'invalid', message: 'No.', requestId: 'r1', fields: { handle: 'is reserved' } } },
      t.problems.refused,
    ],
  ])('shows a refusal at the field: %#', async ({ status, body }, text) => {
    let refuse = () => {}
    const answer = new Promise<Response>((resolve) => (refuse = () => resolve(Response.json(body, { status }))))
    await show({}, { 'PATCH /api/auth/user': () => answer })
    await userEvent.type(field(), 'admin')
    await userEvent.click(screen.getByRole('button', { name: t.save }))
    await screen.findByRole('button', { name: t.saving })
    await act(async () => refuse())
    await waitFor(() => expect(field()).toHaveAccessibleDescription(expect.stringContaining(text)))
    await waitFor(() => expect(field()).toHaveFocus())
  })

  it.each([
    [{ handleAllowed: false }, t.notAllowed],
    [{ handle: 'ann', handleChangeableAt: changeableAt }, t.changeableAt(dateTime(changeableAt, 'en'))],
    [{ handle: 'ann', profileLockReason: 'spam' }, t.locked],
  ])('can’t be changed by %j', async (user, text) => {
    await show(user)
    expect(field()).toHaveAttribute('readonly')
    expect(field()).toHaveAccessibleDescription(expect.stringContaining(text))
    expect(screen.queryByRole('button', { name: t.save })).not.toBeInTheDocument()
  })

  it('is given up after a question', async () => {
    const seen = await show({ handle: 'ann', public: true })
    await press(screen.getByRole('button', { name: t.giveUp }))
    const dialog = await screen.findByRole('dialog', { name: t.giveUpTitle('ann') })
    await press(within(dialog).getByRole('button', { name: t.giveUp }))
    await expectToast(t.givenUp)
    expect(await sent(seen)).toEqual([{ handle: null }])
    expect(field()).toHaveValue('')
  })
})

describe('the public profile', () => {
  it('needs a handle', async () => {
    await show({})
    const isPublic = screen.getByRole('switch', { name: t.public })
    expect(isPublic).toBeDisabled()
    expect(isPublic).toHaveAccessibleDescription(t.needsHandle)
  })

  it('says before it is switched on that pulls can be matched, and sends the page’s language', async () => {
    const seen = await show({ handle: 'ann' })
    const isPublic = screen.getByRole('switch', { name: t.public, checked: false })
    expect(isPublic).toHaveAccessibleDescription(t.publicHint)
    expect(screen.queryByRole('link', { name: t.view })).not.toBeInTheDocument()
    await press(isPublic)
    await waitFor(async () => expect(await sent(seen)).toEqual([{ public: true, language: 'en' }]))
  })

  it('is linked while it is on, and hidden pages are explained', async () => {
    const seen = await show({ handle: 'ann', public: true, pagesHidden: true })
    expect(screen.getByRole('link', { name: t.view })).toHaveAttribute('href', '/u/ann')
    expect(screen.getByRole('alert')).toHaveTextContent(t.hidden)
    await press(screen.getByRole('switch', { name: t.public }))
    await waitFor(async () => expect(await sent(seen)).toEqual([{ public: false }]))
  })
})

describe('the showcase', () => {
  const entry = (id: string, own = true) => {
    const { item, ...rest } = someEntry(id)
    return { ...rest, own, listingId: null, events: [], item: { ...item, name: `Card ${id}` } }
  }
  const answers: Answers = {
    'GET /api/inventory/e1': { body: entry('e1') },
    'GET /api/inventory/e2': { body: entry('e2') },
    'GET /api/inventory/e3': { body: entry('e3', false) },
    'GET /api/inventory/e4': notFound,
    'GET /api/inventory/me': { body: [entry('e1'), entry('e5')] },
  }
  const names = () =>
    within(screen.getByRole('list', { name: showcase.list }))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent)

  it('is ordered with buttons, loses what isn’t the user’s anymore, and is saved', async () => {
    const seen = await show({ showcase: ['e1', 'e3', 'e2'] }, answers)
    expect(await screen.findByRole('list', { name: showcase.list })).toBeVisible()
    expect(names()).toEqual(['Card e1', 'Card e2'])
    expect(screen.queryByRole('button', { name: showcase.save })).not.toBeInTheDocument()
    const later = screen.getByRole('button', { name: showcase.later('Card e1') })
    await press(later)
    expect(names()).toEqual(['Card e2', 'Card e1'])
    expect(screen.getByText(showcase.moved('Card e1', 2, 2))).toBeInTheDocument()
    expect(later).toHaveFocus()
    await press(screen.getByRole('button', { name: showcase.save }))
    await expectToast(showcase.saved)
    expect(await sent(seen)).toEqual([{ showcase: ['e2', 'e1'] }])
    expect(screen.queryByRole('button', { name: showcase.save })).not.toBeInTheDocument()
    expect(screen.getByRole('button', { name: showcase.add })).toHaveFocus()
  })

  it('gets cards from the collection, and can be put back', async () => {
    await show({ showcase: ['e1'] }, answers)
    const add = await screen.findByRole('button', { name: showcase.add })
    await act(async () => {
      await userEvent.click(add)
      await Promise.all([import('@/features/profiles/card-picker'), import('@/components/ui/dialog-parts')])
    })
    const dialog = within(await screen.findByRole('dialog', { name: showcase.pickTitle }))
    expect(await dialog.findByRole('button', { name: /^Card e1,/, pressed: true })).toBeVisible()
    await press(dialog.getByRole('button', { name: /^Card e5,/, pressed: false }))
    expect(dialog.getByText(showcase.pickText(2, 12))).toBeVisible()
    await press(dialog.getByRole('button', { name: showcase.done }))
    await waitFor(() => expect(add).toHaveFocus())
    expect(names()).toEqual(['Card e1', 'Card e5'])
    await press(screen.getByRole('button', { name: showcase.remove('Card e1') }))
    expect(names()).toEqual(['Card e5'])
    expect(add).toHaveFocus()
    await press(screen.getByRole('button', { name: showcase.undo }))
    expect(names()).toEqual(['Card e1'])
  })

  it('is empty without cards', async () => {
    await show({ showcase: ['e4'] }, answers)
    expect(await screen.findByText(showcase.empty)).toBeVisible()
  })
})
