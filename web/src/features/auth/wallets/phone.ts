/** Whether this is a phone or tablet, where wallets are apps, not extensions. iPads identify as Macs. */
export function isPhone(): boolean {
  const { userAgent, maxTouchPoints } = navigator
  return /Android|iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)
}

/**
 * Universal links that open a page in the browser of a wallet's app: `<link><url>?ref=<ref>` with the page and the
 * origin, each URL-encoded. Phantom documents both as required; Solflare uses the same format.
 */
const browsers = [
  // https://docs.phantom.com/phantom-deeplinks/other-methods/browse
  ['Phantom', 'https://phantom.app/ul/browse/'],
  // https://docs.solflare.com/solflare/technical/deeplinks/other-methods/browse
  ['Solflare', 'https://solflare.com/ul/v1/browse/'],
] as const

/** Links that open a page in a wallet app. */
export function walletApps({ href, origin }: Pick<Location, 'href' | 'origin'>): { name: string; link: string }[] {
  const [page, from] = [encodeURIComponent(href), encodeURIComponent(origin)]
  return browsers.map(([name, browse]) => ({ name, link: `${browse}${page}?ref=${from}` }))
}
