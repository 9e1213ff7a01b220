import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { storeTexts } from './texts'
import { home } from './texts/en'
import { common } from '@/i18n/texts/en'
import { setMotion } from '@/lib/motion-setting'
import { HeroPictures } from './hero-pictures'

beforeEach(async () => {
  await storeTexts.load()
  setMotion(true)
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  setMotion(true)
})

const shown = () => screen.getByRole('button', { pressed: true }).getAttribute('aria-label')
const [first, second] = [home.pickPicture(1), home.pickPicture(2)]
const advanceTime = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

it('rotates every ten seconds until paused, and continues when resumed', async () => {
  render(<HeroPictures />)
  expect(shown()).toBe(first)
  await advanceTime(10_000)
  expect(shown()).toBe(second)
  fireEvent.click(screen.getByRole('button', { name: common.settings.pauseMotion }))
  await advanceTime(60_000)
  expect(shown()).toBe(second)
  fireEvent.click(screen.getByRole('button', { name: first }))
  await advanceTime(60_000)
  expect(shown()).toBe(first)
  fireEvent.click(screen.getByRole('button', { name: common.settings.playMotion }))
  await advanceTime(10_000)
  expect(shown()).toBe(second)
})

it('stays paused for the visit', async () => {
  setMotion(false)
  render(<HeroPictures />)
  await advanceTime(60_000)
  expect(shown()).toBe(first)
  expect(sessionStorage.getItem('motion')).toBe('off')
})
