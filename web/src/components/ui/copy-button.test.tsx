import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { expectToast } from '@test/expect-toast'
import { CopyButton } from './copy-button'

const words = { copy: 'Copy', copied: 'Copied', copyFailed: 'Copying failed' }

it.each([
  { copies: true, says: words.copied },
  { copies: false, says: words.copyFailed },
])('shows a check mark only if the text was copied: $copies', async ({ copies, says }) => {
  const user = userEvent.setup()
  const writeText = vi.fn(() => (copies ? Promise.resolve() : Promise.reject(new Error('denied'))))
  vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText } })
  render(<CopyButton text="abc" words={words} label="seed" />)
  const button = screen.getByRole('button', { name: 'Copy: seed' })
  await user.click(button)
  await expectToast(says)
  await waitFor(() => expect(button.querySelectorAll('.text-positive-text')).toHaveLength(copies ? 1 : 0))
  expect(writeText).toHaveBeenCalledExactlyOnceWith('abc')
})
