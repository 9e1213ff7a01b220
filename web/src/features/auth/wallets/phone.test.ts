import { afterEach, expect, it, vi } from 'vitest'
import { isPhone, walletApps } from './phone'

afterEach(() => vi.unstubAllGlobals())

it.each([
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15', 5, true],
  ['Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Mobile', 5, true],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15', 5, true],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15', 0, false],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36', 10, false],
])('detects a phone from %s with %i touch points: %s', (userAgent, maxTouchPoints, phone) => {
  vi.stubGlobal('navigator', { userAgent, maxTouchPoints })
  expect(isPhone()).toBe(phone)
})

it('links to the apps’ browsers', () => {
  const links = walletApps({ href: 'https://kaibao.example/pack/2?a=1', origin: 'https://kaibao.example' })
  expect(links).toEqual([
    {
      name: 'Phantom',
      link: 'https://phantom.app/ul/browse/https%3A%2F%2Fkaibao.example%2Fpack%2F2%3Fa%3D1?ref=https%3A%2F%2Fkaibao.example',
    },
    {
      name: 'Solflare',
      link: 'https://solflare.com/ul/v1/browse/https%3A%2F%2Fkaibao.example%2Fpack%2F2%3Fa%3D1?ref=https%3A%2F%2Fkaibao.example',
    },
  ])
})
