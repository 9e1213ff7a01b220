import { useEffect } from 'react'

const product = 'Kaibao 开包'

/** Sets the browser tab's title; without one, only the product's name. */
export function usePageTitle(title?: string): void {
  useEffect(() => {
    document.title = title ? `${title} · ${product}` : product
  }, [title])
}
