import type { Browser, Locator, Page } from '@playwright/test'
import * as t from '../src/i18n/texts/en'
import { collection } from '../src/features/inventory/texts/en'
import { roadmap } from '../src/app/routes/texts/en'
import { deposits } from '../src/components/deposit/texts/en'
import { deposits as adminDeposits } from '../src/features/admin/texts/en'
import { pack as packTexts } from '../src/features/store/texts/en'
import { topup } from '../src/features/wallet/texts/en'
import type { Deposit, InventoryEntry, Opening } from '../src/contract/types'
import { listForSale, getJson, sendToVault } from './support/api'
import { expect, expectReady, makeAdmin, type Server, test } from './support/server'
import { signInWithPoints, connectButton } from './support/sign-in'
import { openButton, openingDialog } from './support/opening-dialog'

test.slow()

// Visits many pages.
test.describe.configure({ timeout: 300_000 })

const tryAgain = (page: Page) => page.getByRole('button', { name: t.shell.tryAgain })

/** Makes each later read request fail the first time. */
async function failOnce(page: Page, what = /\/(api|log)\//): Promise<void> {
  const failed = new Set<string>()
  await page.route(what, (route) => {
    const request = route.request()
    if (request.method() !== 'GET' || failed.has(request.url())) return route.fallback()
    failed.add(request.url())
    return route.fulfill({ status: 503, json: { code: 'unavailable', message: 'Later.', requestId: 'e2e' } })
  })
}

/** Expects that nothing is loading. */
const expectSettled = (page: Page) => expect(page.locator('.animate-pulse, [aria-busy=true]')).toHaveCount(0)

/** Presses all Try again buttons until there are none. */
async function retryAll(page: Page): Promise<void> {
  await expect(async () => {
    const again = tryAgain(page).first()
    if (await again.isVisible()) await again.click({ timeout: 1000 })
    await expectSettled(page)
    await expect(tryAgain(page)).toHaveCount(0, { timeout: 100 })
  }).toPass()
}

/** Elements that only a fully loaded page has. */
const paths: Record<string, (page: Page) => Locator> = {
  '/': (page) => page.getByRole('region', { name: collection.lastPulls }).getByRole('img'),
  '/open-packs': (page) => page.getByRole('article'),
  '/pack/2': (page) => page.getByRole('region', { name: packTexts.allCards }).getByRole('listitem'),
  '/marketplace': (page) => page.getByRole('article'),
  '/vault': (page) => page.getByRole('article'),
  '/topup': (page) => page.getByRole('region', { name: topup.inProgress }).getByRole('timer'),
  '/deposit/…': (page) => page.getByRole('region', { name: deposits.history }),
  '/my-collection': (page) => page.getByRole('article'),
  '/my-collection?view=value': (page) => page.getByRole('term'),
  '/sets': (page) => page.getByRole('article'),
  '/my-cards': (page) => page.getByRole('article'),
  '/my-opens': (page) => page.getByRole('article'),
  '/leaderboard': (page) => page.getByRole('main').getByRole('time'),
  '/fairness': (page) => page.getByRole('article'),
  '/checkout/2': (page) => page.getByRole('heading', { level: 1 }),
  '/admin': (page) => page.getByRole('article'),
  '/admin?tab=deposits': (page) => page.getByText(adminDeposits.noOrphans),
  '/verify/…': (page) => page.getByRole('main').getByRole('status'),
}

/** Lists a card as another user, because users can't buy their own. */
async function listAsOtherUser(browser: Browser): Promise<void> {
  const context = await browser.newContext()
  const seller = await context.newPage()
  await signInWithPoints(seller, 25)
  await expect(await seller.request.post('/api/packs/2/open', { data: { clientSeed: 'sold' } })).toBeOK()
  const [sold] = await getJson<InventoryEntry[]>(seller, '/api/inventory/me')
  await listForSale(seller, sold!.id, 1234)
  await context.close()
}

/** Signs in an admin with opens, vaulted cards and a deposit. Returns paths of a proof and the deposit. */
async function signInWithEverything(page: Page, server: Server): Promise<Record<string, string>> {
  await signInWithPoints(page, 75)
  for (const pack of ['2', '3']) {
    await expect(await page.request.post(`/api/packs/${pack}/open`, { data: { clientSeed: pack } })).toBeOK()
  }
  const [kept] = await getJson<InventoryEntry[]>(page, '/api/inventory/me')
  await sendToVault(page, kept!.id)
  await makeAdmin(server, (await getJson<{ walletAddress: string }>(page, '/api/auth/user')).walletAddress)
  await expect(await page.request.post('/api/wallet/deposits', { data: { amountCents: 2500 } })).toBeOK()
  const [deposit] = await getJson<Deposit[]>(page, '/api/wallet/deposits')
  const [opened] = await getJson<Opening[]>(page, '/api/opens')
  return { '/verify/…': `/verify/${opened!.openId}`, '/deposit/…': `/deposit/${deposit!.depositId}` }
}

// Each test visits half of the pages in turn, with code and session already loaded.
for (const half of [0, 1]) {
  test(`a page whose requests all fail once shows errors and recovers after Try again, part ${half + 1}`, async ({
    page,
    server,
    browser,
  }) => {
    await listAsOtherUser(browser)
    const addresses = await signInWithEverything(page, server)
    const visited = Object.keys(paths).filter((_, at) => at % 2 === half)
    for (const path of visited) {
      await test.step(path, async () => {
        await failOnce(page)
        await page.goto(addresses[path] ?? path)
        await expect(tryAgain(page).first()).toBeVisible()
        await expectSettled(page)
        await retryAll(page)
        await expect(paths[path]!(page).first()).toBeVisible()
        await expect(page.getByRole('complementary')).toContainText('25.00')
        await page.unrouteAll({ behavior: 'ignoreErrors' })
      })
    }
  })
}

test('a balance that fails to load shows an error on the pack’s page, and can be retried there', async ({ page }) => {
  await signInWithPoints(page, 25)
  await failOnce(page, /\/api\/wallet$/)
  await page.goto('/pack/2')
  await expect(openButton(page)).toBeDisabled()
  await expect(openButton(page)).toHaveAccessibleDescription(new RegExp(t.shell.user.balanceFailed))
  await page.getByRole('main').getByRole('button', { name: t.shell.tryAgain }).click()
  await expect(openButton(page)).toBeEnabled()
  await expect(page.getByRole('complementary')).toContainText('25.00')
})

test('a commitment that fails to load can be retried', async ({ page }) => {
  await signInWithPoints(page, 25)
  await failOnce(page, /\/api\/fairness\/commitment$/)
  await page.goto('/pack/2')
  await openButton(page).click()
  await openingDialog(page).getByRole('button', { name: t.shell.tryAgain }).click()
  await expect(openingDialog(page).getByRole('button', { name: /^Start for/ })).toBeEnabled()
})

/** Makes the chunk that contains a text fail the first time. */
async function failChunkOnce(page: Page, text: string): Promise<void> {
  let lost = false
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    if (lost) return route.continue()
    const response = await route.fetch()
    if (!(await response.text()).includes(text)) return route.fulfill({ response })
    lost = true
    return route.abort()
  })
}

/** Whether the page has not been reloaded since `markPage`. */
const wasNotReloaded = (page: Page) => page.evaluate(() => 'notReloaded' in window)
const markPage = (page: Page) => page.evaluate(() => Object.assign(window, { notReloaded: true }))
const codeError = (page: Page) => page.getByText(t.shell.missingCode.failed)
const offline = (page: Page) => page.getByText(t.shell.missingCode.offline)

test('a dialog whose code fails to load opens after automatic retries, and the page survives', async ({ page }) => {
  await failChunkOnce(page, '.detected')
  await page.goto('/roadmap')
  await expect(page.getByRole('article').first()).toBeVisible()
  await markPage(page)
  await connectButton(page).click()
  await expect(codeError(page)).toBeVisible()
  await expect(page.getByRole('article').first()).toBeVisible()
  await expect(page.getByRole('dialog', { name: t.identity.connectTitle })).toBeVisible()
  await expect(codeError(page)).toBeHidden()
  expect(await wasNotReloaded(page)).toBe(true)
})

test('translations that fail to load are retried with growing delays', async ({ page }) => {
  const requestTimes: number[] = []
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    const response = await route.fetch()
    if (!(await response.text()).includes(roadmap.text)) return route.fulfill({ response })
    requestTimes.push(Date.now())
    return requestTimes.length < 4 ? route.abort() : route.fulfill({ response })
  })
  await page.goto('/rules')
  await expectReady(page)
  await page.getByRole('navigation').getByRole('link', { name: t.shell.nav.roadmap }).click()
  await expect(page.getByRole('heading', { level: 1, name: roadmap.title })).toBeVisible()
  expect(requestTimes).toHaveLength(4)
  // After one, two and four seconds.
  expect(requestTimes[3]! - requestTimes[0]!).toBeGreaterThan(6900)
})

test('a click while offline waits for the connection', async ({ page, context }) => {
  await signInWithPoints(page, 25)
  await page.goto('/pack/2')
  await expect(openButton(page)).toBeEnabled()
  await markPage(page)
  await context.setOffline(true)
  await openButton(page).click()
  await expect(offline(page)).toBeVisible()
  await expect(openButton(page)).toBeVisible()
  await context.setOffline(false)
  await expect(openingDialog(page)).toBeVisible()
  await expect(offline(page)).toBeHidden()
  await page.keyboard.press('Escape')

  await context.setOffline(true)
  await page.getByRole('navigation').getByRole('link', { name: t.shell.nav.roadmap }).click()
  await expect(offline(page)).toBeVisible()
  await expect(openButton(page)).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByRole('heading', { level: 1, name: roadmap.title })).toBeVisible()
  expect(await wasNotReloaded(page)).toBe(true)
})

test('the page reloads when the server has another version', async ({ page }) => {
  await page.goto('/roadmap')
  await expect(page.getByRole('article').first()).toBeVisible()
  await markPage(page)
  await failChunkOnce(page, '.switchedTitle')
  await page.route('**/version', (route) => route.fulfill({ json: { version: 'next' } }))
  await connectButton(page).click()
  await expect.poll(() => wasNotReloaded(page).catch(() => true)).toBe(false)
  await expect(page.getByRole('article').first()).toBeVisible()
})

test('wallets whose code fails to load appear after automatic retries', async ({ page }) => {
  await failChunkOnce(page, 'standard:connect')
  await page.goto('/roadmap')
  await expect(page.getByRole('article').first()).toBeVisible()
  await connectButton(page).click()
  await expect(page.getByRole('dialog', { name: t.identity.connectTitle })).toBeVisible()
})
