import type { Browser, Page } from '@playwright/test'
import type { AdminPack, Opening, OpenResult, Pack } from '../../src/contract/types'
import { newAdminPage } from './admin'
import { getJson } from './api'
import { expect, type Server } from './server'
import { signInWithPoints } from './sign-in'

const odds = { rarities: { Common: 0.6, Rare: 0.25, Epic: 0.1, Legendary: 0.04, Mythic: 0.01 }, itemsPerPack: 1 }

/** Creates a pack of 50 points through the admin API, and waits until the server takes sealed orders. */
export async function makeSealedPack(
  browser: Browser,
  server: Server,
  name: string,
  sealing: AdminPack['wanted']['sealing'] = 'sealed',
): Promise<Pack> {
  const admin = await newAdminPage(browser, server, 'en-US')
  const data = { name, priceCents: 5000, lootTableJson: odds, series: ['Pokemon'], acceptedLossCents: 1_000_000 }
  await expect(await admin.request.post('/api/admin/packs', { data: { ...data, sealing } })).toBeOK()
  await admin.context().close()
  const page = await browser.newPage({ baseURL: server.url })
  const packs = await getJson<Pack[]>(page, '/api/packs')
  const pack = packs.find((one) => one.name === name)
  if (!pack) throw new Error(`no pack ${name}`)
  await signInWithPoints(page, 50)
  // The first rounds of the beacon show whether the server's clock is right.
  await expect(async () => {
    const { commitment } = await getJson<{ commitment: string }>(page, '/api/fairness/commitment')
    const order = { clientSeed: 'first', commitment, manifest: pack.manifestHash, sealed: true }
    await expect(await page.request.post(`/api/packs/${pack.id}/open`, { data: order })).toBeOK()
  }).toPass()
  await page.context().close()
  return pack
}

/**
 * Orders the Labubu Deluxe Box, which is sealed, through the API as soon as the server takes sealed orders. Returns
 * the order’s id.
 */
export async function orderToy(page: Page, status: 200 | 402 = 200): Promise<string> {
  const answers: OpenResult[] = []
  await expect(async () => {
    const response = await page.request.post('/api/packs/8/open', { data: { clientSeed: 'toy', sealed: true } })
    expect(response.status()).toBe(status)
    answers.push((await response.json()) as OpenResult)
  }).toPass()
  return answers[0]!.openId
}

/** Orders the Labubu Deluxe Box through the API and waits until it is drawn. */
export async function openToy(page: Page): Promise<Opening> {
  const id = await orderToy(page)
  const read = () => getJson<Opening>(page, `/api/opens/${id}`)
  await expect.poll(async () => (await read()).state).toBe('open')
  return read()
}

/** Sets how the sandbox's beacon behaves. */
export async function steerBeacon(page: Page, behavior: 'punctual' | 'silent' | 'late'): Promise<void> {
  await expect(await page.request.post(`/sandbox/beacon/${behavior}`)).toBeOK()
}
