import { act, render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { LoadedGrid } from './loaded-grid'

const list = {
  data: Array.from({ length: 40 }, (_, at) => String(at)),
  hasNextPage: false,
  isFetching: false,
  isFetchNextPageError: false,
  isPlaceholderData: false,
  error: null,
  refetch: () => {},
  fetchNextPage: () => Promise.resolve(),
}

it('keeps the focus on an entry when the code for long lists arrives', async () => {
  render(
    <LoadedGrid
      list={list}
      label="cards"
      failed="failed"
      columns="grid-cols-1"
      skeleton={null}
      idOf={(entry) => entry}
      empty={null}
    >
      {(entry) => <button type="button">{entry}</button>}
    </LoadedGrid>,
  )
  const first = screen.getByRole('button', { name: '0' })
  first.focus()
  await act(() => import('./grid-window'))
  expect(screen.getByRole('list').style.paddingBottom).not.toBe('') // the rows near the viewport are known
  expect(first).toHaveFocus()
})
