import { useEffect } from 'react'

const product = 'Kaibao 开包'

/** Names the page in the browser's tab; without a title it is the product alone. */
export function usePageTitle(title?: string): void {
  useEffect(() => {
    document.title = title ? `${title.charAt(0).toUpperCase()}${title.slice(1)} · ${product}` : product
  }, [title])
}
