import type { Locator, Page } from '@playwright/test'
import { trade } from '../src/features/market/texts/en'
import { opening as openingEn } from '../src/features/opening/texts/en'
import { importing } from '../src/features/admin/texts/en'
import type { InventoryEntry } from '../src/contract/types'
import { listForSale, getJson } from './support/api'
import { expect, makeAdmin, test } from './support/server'
import { signInWithPoints, newVisitor } from './support/sign-in'
import { openIntro, resultsHeading, skipToResults, startButton, openingDialog, toast } from './support/opening-dialog'

// Imports change the catalogue.
test.use({ ownServer: 'toasts' })

/** Names of the buttons that a toast covers. */
async function coveredButtons(toastBox: Locator, within: Locator): Promise<string[]> {
  const box = (await toastBox.boundingBox())!
  const names: string[] = []
  for (const button of await within.getByRole('button').all()) {
    const other = await button.boundingBox()
    const apart =
      !other ||
      box.x >= other.x + other.width ||
      other.x >= box.x + box.width ||
      box.y >= other.y + other.height ||
      other.y >= box.y + box.height
    if (!apart) names.push((await button.textContent()) ?? '')
  }
  return names
}

const toastItem = (page: Page) => toast(page).getByRole('listitem', { includeHidden: true })

for (const [width, height] of [
  [1440, 720],
  [1024, 768],
] as const) {
  test(`the toast of an open covers no button of the results at ${width} × ${height}`, async ({ page }) => {
    await page.setViewportSize({ width, height })
    await signInWithPoints(page, 100)
    await openIntro(page)
    await startButton(page).click()
    await skipToResults(page)
    await expect(resultsHeading(page)).toBeVisible()
    await expect(toastItem(page)).toContainText(openingEn.toast.opened)
    await toastItem(page).hover() // hovering keeps it open
    expect(await coveredButtons(toastItem(page), openingDialog(page))).toEqual([])
  })
}

async function expectNothingCovered(page: Page, title: string, within: Locator): Promise<void> {
  await expect(toastItem(page)).toContainText(title)
  await toastItem(page).hover()
  expect(await coveredButtons(toastItem(page), within)).toEqual([])
}

for (const [width, height] of [
  [1440, 720],
  [390, 844],
] as const) {
  test(`the toast of a purchase covers no button at ${width} × ${height}`, async ({ page, browser, server }) => {
    const seller = await newVisitor(browser, server.url, 'en-US')
    await signInWithPoints(seller, 100)
    for (const clientSeed of ['a', 'b', 'c', 'd']) {
      await expect(await seller.request.post('/api/packs/demo-pack-1/open', { data: { clientSeed } })).toBeOK()
    }
    const cards = await getJson<InventoryEntry[]>(seller, '/api/inventory/me')
    for (const { id, item } of cards) await listForSale(seller, id, item.baseValueCents)
    await seller.context().close()

    await page.setViewportSize({ width, height })
    await signInWithPoints(page, 1000)
    for (const at of [`/entry/${cards[0]!.id}`, '/marketplace']) {
      await test.step(at, async () => {
        await page.goto(at)
        for (const name of [/^Buy for /, /^Confirm /]) await page.getByRole('button', { name }).first().click()
        await expectNothingCovered(page, trade.bought, page.getByRole('main'))
      })
    }
  })

  test(`the toast of a failed import covers no button at ${width} × ${height}`, async ({ page, server }) => {
    await signInWithPoints(page, 1)
    await makeAdmin(server, (await getJson<{ walletAddress: string }>(page, '/api/auth/user')).walletAddress)
    await page.setViewportSize({ width, height })
    await page.goto('/admin?tab=items')
    await page.getByRole('button', { name: importing.open }).click()
    const dialog = page.getByRole('dialog', { name: importing.title })
    const rows = [1, 2, 3, 4, 5].map((n) => `toast-${width}-${n},2026 Ann ${n} PSA 9,Spring,Rare,${n}`)
    const text = ['id,name,series,rarity,baseValueCents', ...rows].join('\n')
    const file = { name: 'spring.csv', mimeType: 'text/csv', buffer: Buffer.from(text) }
    await dialog.locator('input[type=file]').setInputFiles(file)
    const confirm = dialog.getByRole('button', { name: importing.import(5) })
    await expect(confirm).toBeEnabled()
    const fails = { status: 422, json: { code: 'invalid', message: 'No.', requestId: 'r1' } }
    await page.route('**/api/admin/catalogue/import', (route) => route.fulfill(fails))
    await confirm.click()
    await expectNothingCovered(page, importing.failed, dialog)
    await page.unrouteAll()
    await confirm.click()
    // The dialog itself reports the success: no second toast.
    await expect(dialog.getByRole('status').filter({ hasText: importing.done(5) })).toBeVisible()
    await expect(toastItem(page).filter({ hasText: importing.done(5) })).toHaveCount(0)
  })
}
