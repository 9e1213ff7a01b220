import { useEffect } from 'react'

const product = 'Kaibao 开包'

/** Names the page in the browser's tab; without a title it is the product alone. */
export function usePageTitle(title?: string): void {
  useEffect(() => {
    document.title = title ? `${title} · ${product}` : product
  }, [title])
}
