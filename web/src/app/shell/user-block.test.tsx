import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { act } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { profile } from '@/features/auth/texts/en'
import { someUser } from '@test/data'
import { renderPage, signedIn } from '@test/render-page'
import { stubApi } from '@test/stub-api'

/** Waits for the dialog that a press opens in a transition, which `userEvent` alone doesn't. */
const press = (button: HTMLElement) => act(() => userEvent.click(button))
async function put(field: HTMLElement, text: string) {
  await userEvent.click(field)
  await userEvent.paste(text)
}

async function openDialog(answer: { status?: number; body: unknown }, user = someUser) {
  const seen = stubApi({
    'GET /api/leaderboard': { body: [], headers: { 'X-Total-Count': '0' } },
    'GET /api/leaderboard/me': { body: { rank: null, value: 0, position: null } },
    'GET /api/activity/recent': { body: [] },
    'PATCH /api/auth/user': answer,
  })
  const refresh = vi.fn(() => Promise.resolve())
  renderPage('/leaderboard', { ...signedIn, user, refresh })
  await press(await screen.findByRole('button', { name: /Edit profile/ }))
  const dialog = within(await screen.findByRole('dialog', { name: profile.title }))
  const sent = () => seen.filter(({ method }) => method === 'PATCH')
  return { seen, sent, refresh, dialog, save: () => press(dialog.getByRole('button', { name: profile.save })) }
}

describe('editing the profile', () => {
  it('saves name and picture, and refetches the user and every list of users', async () => {
    const { seen, sent, refresh, dialog, save } = await openDialog({ body: someUser })
    expect(dialog.getByText(profile.traced)).toBeVisible()
    await put(dialog.getByLabelText(profile.name), ' Ann ')
    await put(dialog.getByLabelText(profile.picture), 'https://a.example/b.png')
    const boards = () => seen.filter(({ url }) => new URL(url).pathname === '/api/leaderboard').length
    const before = boards()
    await save()
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(await sent()[0]!.json()).toEqual({ firstName: 'Ann', profileImageUrl: 'https://a.example/b.png' })
    expect(refresh).toHaveBeenCalledOnce()
    expect(boards()).toBe(before + 1)
  })

  it('removes both when the fields are emptied', async () => {
    const named = { ...someUser, firstName: 'Ann', profileImageUrl: 'https://a.example/b.png' }
    const { sent, dialog, save } = await openDialog({ body: someUser }, named)
    expect(dialog.getByLabelText(profile.name)).toHaveValue('Ann')
    await userEvent.clear(dialog.getByLabelText(profile.name))
    await userEvent.clear(dialog.getByLabelText(profile.picture))
    await save()
    await waitFor(() => expect(sent()).toHaveLength(1))
    expect(await sent()[0]!.json()).toEqual({ firstName: null, profileImageUrl: null })
  })

  it('turns gifts off, also while name and picture are locked', async () => {
    const locked = { ...someUser, profileLockReason: 'Impersonates us.' }
    const { sent, dialog, save } = await openDialog({ body: { ...locked, acceptsGifts: false } }, locked)
    expect(dialog.getByRole('button', { name: profile.save })).toBeDisabled()
    await userEvent.click(dialog.getByRole('switch', { name: profile.gifts, checked: true }))
    await save()
    await waitFor(() => expect(sent()).toHaveLength(1))
    expect(await sent()[0]!.json()).toEqual({ acceptsGifts: false })
  })

  it.each([
    [profile.name, 'x'.repeat(25), profile.problems.long(24)],
    [profile.picture, 'http://a.example', profile.problems.address(500)],
  ])('reports an invalid %s before sending anything', async (label, typed, problem) => {
    const { sent, dialog } = await openDialog({ body: someUser })
    await put(dialog.getByLabelText(label), typed)
    expect(dialog.getByLabelText(label)).toBeInvalid()
    expect(dialog.getByLabelText(label)).toHaveAccessibleDescription(problem)
    expect(dialog.getByRole('button', { name: profile.save })).toBeDisabled()
    expect(sent()).toEqual([])
  })

  it('shows the server’s refusal at the field until it is changed', async () => {
    const fields = { firstName: 'is reserved for Kaibao' }
    const body = { code: 'invalid', message: 'firstName: is reserved', requestId: 'r1', fields }
    const { dialog, save } = await openDialog({ status: 422, body })
    const name = dialog.getByLabelText(profile.name)
    await put(name, 'Admin')
    await save()
    await waitFor(() => expect(name).toHaveAccessibleDescription(profile.refused.firstName))
    expect(name).toBeInvalid()
    await put(name, 'x')
    expect(name).toHaveAccessibleDescription(profile.nameHint(24))
  })
})
