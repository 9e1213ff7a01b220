import { queryOptions } from '@tanstack/react-query'
import { api, read } from './client'
import { keys } from './keys'

/** What is asked and bid for an item. */
export function itemBookQuery(id: string) {
  return queryOptions({
    queryKey: keys.itemBook(id),
    queryFn: ({ signal }) => read(api.GET('/api/items/{id}/book', { params: { path: { id } }, signal })),
  })
}

/** What is asked and bid for one entry. */
export function entryBookQuery(id: string) {
  return queryOptions({
    queryKey: [...keys.entry(id), 'book'],
    queryFn: ({ signal }) => read(api.GET('/api/inventory/{id}/book', { params: { path: { id } }, signal })),
  })
}
