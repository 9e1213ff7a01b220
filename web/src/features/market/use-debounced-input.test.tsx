import { act, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import { Input } from '@/components/ui/input'
import { useDebouncedInput } from './use-debounced-input'

let reported: string[]

/** Its value follows 50 ms after a report, like a URL parameter. */
function Field() {
  const [value, setValue] = useState('first')
  const typed = useDebouncedInput(
    value,
    (text) => text.trim(),
    (text) => {
      reported.push(text)
      setTimeout(() => setValue(text), 50)
    },
  )
  return (
    <>
      <Input aria-label="field" {...typed} />
      <button type="button" onClick={() => setValue('')}>
        clear
      </button>
    </>
  )
}

beforeEach(() => {
  vi.useFakeTimers()
  reported = []
  render(<Field />)
  return () => vi.useRealTimers()
})

const field = () => screen.getByLabelText<HTMLInputElement>('field')
const type = (value: string) => fireEvent.change(field(), { target: { value } })
const advanceTime = (milliseconds: number) =>
  act(() => {
    vi.advanceTimersByTime(milliseconds)
  })

it('reports the text once, after a pause', () => {
  type('c')
  advanceTime(200)
  type('ch')
  advanceTime(299)
  expect(reported).toEqual([])
  advanceTime(1)
  expect(reported).toEqual(['ch'])
  advanceTime(1000)
  expect(reported).toEqual(['ch'])
  expect(field().value).toBe('ch')
})

it('reports at once on Enter and on blur', () => {
  type('enter')
  fireEvent.keyDown(field(), { key: 'Enter' })
  expect(reported).toEqual(['enter'])
  type('leave ')
  fireEvent.blur(field())
  expect(reported).toEqual(['enter', 'leave'])
  expect(field().value).toBe('leave')
  advanceTime(1000)
  expect(reported).toEqual(['enter', 'leave'])
})

it('keeps typing while the value comes back', () => {
  type('cha')
  advanceTime(300)
  type('char')
  expect(field().value).toBe('char')
  advanceTime(100)
  expect(field().value).toBe('char')
  advanceTime(300)
  expect(reported).toEqual(['cha', 'char'])
})

it('keeps a trailing space without reporting it', () => {
  type('first ')
  advanceTime(1000)
  expect(reported).toEqual([])
  expect(field().value).toBe('first ')
})

it('takes a new value from outside and drops the typed text', () => {
  type('second')
  fireEvent.click(screen.getByText('clear'))
  expect(field().value).toBe('')
  advanceTime(1000)
  expect(reported).toEqual([])
})
