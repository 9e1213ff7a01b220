import type { Locator, Page } from '@playwright/test'
import { trade } from '../src/features/market/texts/en'
import { opening as openingEn } from '../src/features/opening/texts/en'
import { importing } from '../src/features/admin/texts/en'
import type { InventoryEntry } from '../src/contract/types'
import { putForSale, read } from './support/books'
import { expect, grant, test } from './support/server'
import { arriveWith, second } from './support/sign-in'
import { enter, resultsHeading, skipToResults, startButton, theatre, toast } from './support/theatre'

// Imports change the catalogue.
test.use({ ownStore: true })

/** The names of the buttons within a place that a toast lies over. */
async function covered(said: Locator, within: Locator): Promise<string[]> {
  const box = (await said.boundingBox())!
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

const said = (page: Page) => toast(page).getByRole('listitem', { includeHidden: true })

for (const [width, height] of [
  [1440, 720],
  [1024, 768],
] as const) {
  test(`the toast of an open covers no button of the results at ${width} × ${height}`, async ({ page }) => {
    await page.setViewportSize({ width, height })
    await arriveWith(page, 100)
    await enter(page)
    await startButton(page).click()
    await skipToResults(page)
    await expect(resultsHeading(page)).toBeVisible()
    await expect(said(page)).toContainText(openingEn.toast.opened)
    await said(page).hover() // it stays while it is read
    expect(await covered(said(page), theatre(page))).toEqual([])
  })
}

async function expectNothingCovered(page: Page, title: string, within: Locator): Promise<void> {
  await expect(said(page)).toContainText(title)
  await said(page).hover()
  expect(await covered(said(page), within)).toEqual([])
}

for (const [width, height] of [
  [1440, 720],
  [390, 844],
] as const) {
  test(`the toast of a purchase covers no button at ${width} × ${height}`, async ({ page, browser, server }) => {
    const seller = await second(browser, server.url, 'en-US')
    await arriveWith(seller, 100)
    for (const clientSeed of ['a', 'b', 'c', 'd']) {
      await expect(await seller.request.post('/api/packs/demo-pack-1/open', { data: { clientSeed } })).toBeOK()
    }
    const cards = await read<InventoryEntry[]>(seller, '/api/inventory/me')
    for (const { id, item } of cards) await putForSale(seller, id, item.baseValueCents)
    await seller.context().close()

    await page.setViewportSize({ width, height })
    await arriveWith(page, 1000)
    for (const at of [`/entry/${cards[0]!.id}`, '/marketplace']) {
      await test.step(at, async () => {
        await page.goto(at)
        await page
          .getByRole('button', { name: /^Buy for / })
          .first()
          .click()
        await expectNothingCovered(page, trade.bought, page.getByRole('main'))
      })
    }
  })

  test(`the toast of an import covers no button at ${width} × ${height}`, async ({ page, server }) => {
    await arriveWith(page, 1)
    await grant(server, (await read<{ walletAddress: string }>(page, '/api/auth/user')).walletAddress)
    await page.setViewportSize({ width, height })
    await page.goto('/admin?tab=items')
    await page.getByRole('button', { name: importing.open }).click()
    const dialog = page.getByRole('dialog', { name: importing.title })
    const rows = [1, 2, 3, 4, 5].map((n) => `toast-${width}-${n},2026 Ann ${n} PSA 9,Spring,Rare,${n}`)
    const text = ['id,name,series,rarity,baseValueCents', ...rows].join('\n')
    const file = { name: 'spring.csv', mimeType: 'text/csv', buffer: Buffer.from(text) }
    await dialog.locator('input[type=file]').setInputFiles(file)
    await dialog.getByRole('button', { name: importing.import(5) }).click()
    await expect(dialog.getByRole('status').filter({ hasText: importing.done(5) })).toBeVisible()
    await expectNothingCovered(page, importing.done(5), dialog)
  })
}
