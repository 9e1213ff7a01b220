/** Whether this is a phone or tablet, where wallets are apps and no extensions. iPads claim to be Macs. */
export function isPhone(): boolean {
  const { userAgent, maxTouchPoints } = navigator
  return /Android|iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)
}

/**
 * Universal links that open a page in the browser of a wallet's app: `<link><url>?ref=<ref>` with the page and the site
 * that asks, each URL-encoded. Phantom documents both as required; Solflare's link takes the same.
 */
const browsers = [
  // https://docs.phantom.com/phantom-deeplinks/other-methods/browse
  ['Phantom', 'https://phantom.app/ul/browse/'],
  // https://docs.solflare.com/solflare/technical/deeplinks/other-methods/browse
  ['Solflare', 'https://solflare.com/ul/v1/browse/'],
] as const

/** The wallet apps that can open a page, and the links that do. */
export function walletApps({ href, origin }: Pick<Location, 'href' | 'origin'>): { name: string; link: string }[] {
  const [page, from] = [encodeURIComponent(href), encodeURIComponent(origin)]
  return browsers.map(([name, browse]) => ({ name, link: `${browse}${page}?ref=${from}` }))
}
