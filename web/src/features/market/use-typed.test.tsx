import { act, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import { Input } from '@/components/ui/input'
import { useTyped } from './use-typed'

let handedOn: string[]

/** A field whose value follows 50 ms after it was handed on, as an address does. */
function Field() {
  const [value, setValue] = useState('first')
  const typed = useTyped(
    value,
    (text) => text.trim(),
    (text) => {
      handedOn.push(text)
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
  handedOn = []
  render(<Field />)
  return () => vi.useRealTimers()
})

const field = () => screen.getByLabelText<HTMLInputElement>('field')
const type = (value: string) => fireEvent.change(field(), { target: { value } })
const pass = (milliseconds: number) =>
  act(() => {
    vi.advanceTimersByTime(milliseconds)
  })

it('hands on what was typed after a pause, once', () => {
  type('c')
  pass(200)
  type('ch')
  pass(299)
  expect(handedOn).toEqual([])
  pass(1)
  expect(handedOn).toEqual(['ch'])
  pass(1000)
  expect(handedOn).toEqual(['ch'])
  expect(field().value).toBe('ch')
})

it('does not wait for the end of the pause on Enter, or when the field is left', () => {
  type('enter')
  fireEvent.keyDown(field(), { key: 'Enter' })
  expect(handedOn).toEqual(['enter'])
  type('leave ')
  fireEvent.blur(field())
  expect(handedOn).toEqual(['enter', 'leave'])
  expect(field().value).toBe('leave')
  pass(1000)
  expect(handedOn).toEqual(['enter', 'leave'])
})

it('loses no letter while the value is on its way', () => {
  type('cha')
  pass(300)
  type('char')
  expect(field().value).toBe('char')
  pass(100)
  expect(field().value).toBe('char')
  pass(300)
  expect(handedOn).toEqual(['cha', 'char'])
})

it('keeps a space at the end while somebody types, and hands nothing on for it', () => {
  type('first ')
  pass(1000)
  expect(handedOn).toEqual([])
  expect(field().value).toBe('first ')
})

it('follows a value from elsewhere and forgets what was being typed', () => {
  type('second')
  fireEvent.click(screen.getByText('clear'))
  expect(field().value).toBe('')
  pass(1000)
  expect(handedOn).toEqual([])
})
