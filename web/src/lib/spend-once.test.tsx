import { createEvent, fireEvent, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { spendOnce } from './spend-once'

it('counts neither the second click of a double click nor a key that is held down', () => {
  const act = vi.fn()
  render(<button type="button" {...spendOnce(act)} />)
  const button = screen.getByRole('button')
  fireEvent.click(button, { detail: 1 })
  fireEvent.click(button, { detail: 2 })
  expect(act).toHaveBeenCalledTimes(1)
  // The keyboard's clicks have no detail; the browser makes none of a key press that was prevented.
  fireEvent.click(button, { detail: 0 })
  expect(act).toHaveBeenCalledTimes(2)
  for (const repeat of [false, true]) {
    const press = createEvent.keyDown(button, { key: 'Enter', repeat })
    fireEvent(button, press)
    expect(press.defaultPrevented).toBe(repeat)
  }
})
