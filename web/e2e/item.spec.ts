import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import * as en from '../src/i18n/texts/en'
import * as zh from '../src/i18n/texts/zh'
import { item as itemEn } from '../src/features/item/texts/en'
import { item as itemZh } from '../src/features/item/texts/zh'
import { balance as ledgerEn } from '../src/features/wallet/texts/en'
import { balance as ledgerZh } from '../src/features/wallet/texts/zh'
import { verify as verifyEn } from '../src/features/proofs/texts/en'
import { verify as verifyZh } from '../src/features/proofs/texts/zh'
import type { EntryLife, InventoryEntry, ItemDetail, Transaction } from '../src/contract/types'
import { dateTime, dollars, percent } from '../src/lib/format'
import { listForSale, getJson } from './support/api'
import { expect, test } from './support/server'
import { packNameIn } from '../src/lib/pack-name'
import { signInWithPoints } from './support/sign-in'

const languages = [
  { language: 'en', locale: 'en-US', shell: en.shell, t: itemEn, ledger: ledgerEn, verify: verifyEn },
  { language: 'zh', locale: 'zh-CN', shell: zh.shell, t: itemZh, ledger: ledgerZh, verify: verifyZh },
] as const

async function post(page: Page, path: string, data: object): Promise<void> {
  await expect(await page.request.post(path, { data })).toBeOK()
}

/** Signs in a user with one Pokemon card and $25. */
async function signInWithCard(page: Page): Promise<InventoryEntry> {
  await signInWithPoints(page, 50)
  await post(page, '/api/packs/2/open', { clientSeed: 'item' })
  const [entry] = await getJson<InventoryEntry[]>(page, '/api/inventory/me')
  if (!entry) throw new Error('nothing pulled')
  return entry
}

for (const { language, locale, shell, t, ledger, verify } of languages) {
  test.describe(`in ${locale}`, () => {
    test.use({ locale })

    test('a pack’s card links to its item page, which links to the packs that contain it', async ({ page }) => {
      await page.goto('/pack/2')
      const card = page.locator('[aria-labelledby=showcase]').getByRole('article').first()
      await card.getByRole('link').click()
      await expect(page).toHaveURL(/\/item\/[\w-]+$/)
      const item = await getJson<ItemDetail>(page, `/api${new URL(page.url()).pathname.replace('item', 'items')}`)
      await expect(page.getByRole('heading', { level: 1, name: item.name })).toBeVisible()
      const history = page.getByRole('region', { name: t.values.title })
      await expect(history.getByRole('row', { name: dollars(item.baseValueCents) })).toContainText(t.values.added)
      await history.scrollIntoViewIfNeeded()
      await expect(history.getByRole('img', { name: t.values.chart }).locator('canvas')).toBeVisible()

      const odds = page.getByRole('region', { name: t.odds.title })
      const [chance] = item.odds.filter(({ packId }) => packId === '2')
      const row = odds.getByRole('row').filter({ hasText: percent(chance!.chance, 4) })
      await row.getByRole('link', { name: packNameIn(language, chance!), exact: true }).click()
      await expect(page).toHaveURL(/\/pack\/2$/)
    })

    test('an entry’s history is public, but only its owner sees its quote', async ({ page, browser, server }) => {
      const { id, item } = await signInWithCard(page)
      await listForSale(page, id, 9876)
      const entry = await getJson<EntryLife>(page, `/api/inventory/${id}`)
      await page.goto('/my-collection')
      await page.getByRole('article').getByRole('link', { name: item.name }).click()
      await expect(page).toHaveURL(`/entry/${id}`)
      const main = page.getByRole('main')
      await expect(main).toContainText(t.facts.sellBack + dollars(entry.sellBackCents!))
      await expect(main).toContainText(t.entry.floorUntil + dateTime(entry.sellBackUntil!, language))
      const events = page.getByRole('region', { name: t.history.title }).getByRole('listitem')
      await expect(events).toHaveCount(2)
      await expect(events.last()).toContainText(t.history.kinds.listed + dollars(9876))

      const context = await browser.newContext({ baseURL: server.url, locale })
      const stranger = await context.newPage()
      await signInWithPoints(stranger, 1)
      await stranger.goto(`/entry/${id}`)
      await expect(stranger.getByRole('region', { name: t.history.title }).getByRole('listitem')).toHaveCount(2)
      await expect(stranger.getByText(t.facts.sellBack)).toHaveCount(0)
      await expect(stranger.getByText(t.entry.floorUntil)).toHaveCount(0)
      await expect(stranger.getByRole('link', { name: t.history.proof })).toHaveCount(0)
      await stranger.goto('/entry/none')
      await expect(stranger.getByRole('heading', { level: 1, name: t.entry.unknown })).toBeVisible()
      await context.close()

      await events.first().getByRole('link', { name: t.history.proof }).click()
      await expect(page).toHaveURL(/\/verify\/[\w-]+$/)
      await expect(page.getByRole('heading', { level: 1, name: verify.proof.title })).toBeVisible()
    })

    test('transactions are filtered by kind and downloaded as a file', async ({ page }) => {
      await signInWithCard(page)
      await page.goto('/roadmap')
      await page.getByRole('complementary').getByTitle(shell.user.movements).click()
      await expect(page).toHaveURL('/balance')
      const lines = page.getByRole('list', { name: ledger.all }).getByRole('listitem')
      await expect(lines).toHaveCount(2)
      await expect(page.getByRole('img', { name: ledger.chart }).locator('canvas')).toBeVisible()
      await page.getByLabel(ledger.kind).selectOption({ label: ledger.kinds.open })
      await expect(page).toHaveURL('/balance?kind=open')
      await expect(lines).toHaveCount(1)
      const found = await getJson<Transaction[]>(page, '/api/wallet/transactions?kind=open')
      expect(found).toHaveLength(1)
      await expect(lines.getByRole('link', { name: ledger.kinds.open })).toHaveAttribute(
        'href',
        `/verify/${found[0]!.ref}`,
      )

      const started = page.waitForEvent('download')
      await page.getByRole('link', { name: ledger.csv }).click()
      const download = await started
      expect(download.suggestedFilename()).toMatch(/\.csv$/)
      const [head, ...rows] = (await readFile(await download.path(), 'utf8')).trim().split(/\r?\n/)
      expect(head).toContain('time,kind,amount,balance')
      expect(rows).toHaveLength(1)
      expect(rows[0]).toContain(`open,-25.00,25.00,open,${found[0]!.ref}`)
      await page.reload()
      await expect(lines).toHaveCount(1)
      await expect(page.getByLabel(ledger.kind)).toHaveValue('open')
    })
  })
}
