import { fetchOpens } from './opens'
import { pageQuery, readPage } from './paged-query'

/** Without a nonce, how many pages of the history are searched. */
const maxSearchedPages = 2

/**
 * Whether one of the visitor's opens used a commitment. Searches the history, newest first, back to the commitment's
 * nonce. Undefined if that would take too many pages.
 */
export async function isCommitmentUsed(commitment: string, nonce: number | undefined): Promise<boolean | undefined> {
  const maxPages = nonce === undefined ? maxSearchedPages : Number.POSITIVE_INFINITY
  let cursor: string | undefined
  for (let pages = 0; pages < maxPages; pages += 1) {
    // oxlint-disable-next-line no-await-in-loop -- each page has the cursor of the next
    const { entries, next } = await readPage(fetchOpens(pageQuery(cursor)))
    if (entries.some((opening) => opening.commitment === commitment)) return true
    const oldest = entries.at(-1)
    if (!next || !oldest || (nonce !== undefined && oldest.nonce < nonce)) return false
    cursor = next
  }
  return undefined
}
