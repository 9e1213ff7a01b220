import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import { useComposedText } from './ime'

const pressed = vi.fn<(key: string) => void>()

function Field() {
  const [text, setText] = useState('')
  return (
    <>
      <input
        aria-label="field"
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={({ key }) => pressed(key)}
      />
      <output>{useComposedText(text)}</output>
    </>
  )
}

beforeEach(() => {
  pressed.mockClear()
  render(<Field />)
})

const field = () => screen.getByLabelText('field')
const composed = () => screen.getByRole('status').textContent

it.each([{ isComposing: true }, { keyCode: 229 }])('hides an input method’s Enter from the page: %o', (how) => {
  fireEvent.keyDown(field(), { key: 'Enter', ...how })
  expect(pressed).not.toHaveBeenCalled()
  fireEvent.keyDown(field(), { key: 'Enter' })
  expect(pressed).toHaveBeenCalledWith('Enter')
})

it('reports a text once its composition ends', () => {
  fireEvent.compositionStart(field())
  fireEvent.input(field(), { target: { value: 'pi' }, isComposing: true })
  expect(field()).toHaveValue('pi')
  expect(composed()).toBe('')
  fireEvent.input(field(), { target: { value: '皮' }, isComposing: true })
  fireEvent.compositionEnd(field())
  expect(composed()).toBe('皮')
  fireEvent.input(field(), { target: { value: '皮卡' } })
  expect(composed()).toBe('皮卡')
})

it('recovers from a composition that never ended', () => {
  fireEvent.compositionStart(field())
  fireEvent.input(field(), { target: { value: 'lost' } })
  expect(composed()).toBe('lost')
})
