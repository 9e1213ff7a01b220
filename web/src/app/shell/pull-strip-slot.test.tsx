import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { keys } from '@/api/keys'
import { leaderboard as board } from '@/features/leaderboard/texts/en'
import { setLive } from '@/lib/live-setting'
import * as settled from '@/lib/page-idle'
import { activity } from '@test/data'
import { renderPage } from '@test/render-page'
import { stubApi } from '@test/stub-api'

const pull = (id: string) => ({ ...activity[0]!, id, best: { ...activity[0]!.best, id, name: `Pull ${id}` } })
const strip = async () => within(await screen.findByRole('region', { name: board.latest }))
const shown = async () => (await strip()).queryAllByRole('link').map((link) => link.textContent.replace(/\$.*/, ''))

async function open(body: object[] = activity) {
  stubApi({ 'GET /api/activity/recent': { body } })
  const { queryClient } = renderPage('/roadmap')
  await strip()
  return (id: string) =>
    act(() => void queryClient.setQueryData(keys.recentPulls, (before: object[]) => [pull(id), ...before]))
}

async function advanceTime(ms: number) {
  await act(() => vi.advanceTimersByTimeAsync(ms))
}

beforeEach(() => {
  vi.spyOn(settled, 'usePageIdle').mockReturnValue(true)
})
afterEach(() => {
  setLive(true)
  vi.useRealTimers()
})

describe('the strip of live pulls', () => {
  it('shows the latest pulls with links to their items, and replaces the oldest with a newer one', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const happen = await open()
    expect(await shown()).toEqual(['Card 0', 'Card 1', 'Card 2', 'Card 3'])
    expect((await strip()).getByRole('link', { name: /Card 1/ })).toHaveAttribute('href', '/item/pkm-1')
    happen('x')
    await advanceTime(3000)
    expect(await shown()).toEqual(['Card 0', 'Card 1', 'Card 2', 'Pull x'])
  })

  it('can be paused, remembers that, and can be resumed', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const happen = await open()
    const user = userEvent.setup({ advanceTimers: (ms) => vi.advanceTimersByTimeAsync(ms) })
    await user.click((await strip()).getByRole('button', { name: board.pause }))
    expect(localStorage.getItem('live')).toBe('off')
    happen('x')
    await advanceTime(9000)
    expect(await shown()).not.toContain('Pull x')
    await user.click((await strip()).getByRole('button', { name: board.play }))
    await advanceTime(3000)
    expect(await shown()).toContain('Pull x')
  })

  it('stands still while hovered or focused', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const happen = await open()
    const link = (await strip()).getByRole('link', { name: /Card 3/ })
    act(() => link.focus())
    happen('x')
    await advanceTime(9000)
    expect(await shown()).toContain('Card 3')
    act(() => link.blur())
    await advanceTime(3000)
    expect(await shown()).toContain('Pull x')
  })

  it('has an empty state', async () => {
    await open([])
    expect(await (await strip()).findByText(board.noActivity)).toBeVisible()
  })
})
