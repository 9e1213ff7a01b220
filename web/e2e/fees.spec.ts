import { bids as bidsEn } from '../src/features/bids/texts/en'
import { bids as bidsZh } from '../src/features/bids/texts/zh'
import { catalogue as catalogueEn } from '../src/i18n/texts/en'
import { catalogue as catalogueZh } from '../src/i18n/texts/zh'
import { bulk as bulkEn, trade as tradeEn } from '../src/features/market/texts/en'
import { bulk as bulkZh, trade as tradeZh } from '../src/features/market/texts/zh'
import { approvals as approvalsEn, admin as operateEn } from '../src/features/admin/texts/en'
import { approvals as approvalsZh, admin as operateZh } from '../src/features/admin/texts/zh'
import { sellBack as sellBackEn } from '../src/features/sellback/texts/en'
import { sellBack as sellBackZh } from '../src/features/sellback/texts/zh'
import type { InventoryEntry, Rates } from '../src/contract/types'
import { dateTime } from '../src/lib/format'
import { accessibilityViolations } from './support/axe'
import { getJson } from './support/api'
import { newAdminPage } from './support/admin'
import { expect, test, withServer } from './support/server'
import { signInWithPoints, newVisitor } from './support/sign-in'

test.slow()

// Visits many pages.
test.describe.configure({ timeout: 300_000 })

const languages = [
  {
    locale: 'en-US',
    language: 'en',
    operate: operateEn,
    approvals: approvalsEn,
    catalogue: catalogueEn,
    trade: tradeEn,
    bulk: bulkEn,
    bids: bidsEn,
    sellBack: sellBackEn,
  },
  {
    locale: 'zh-CN',
    language: 'zh',
    operate: operateZh,
    approvals: approvalsZh,
    catalogue: catalogueZh,
    trade: tradeZh,
    bulk: bulkZh,
    bids: bidsZh,
    sellBack: sellBackZh,
  },
] as const

/** Noon in three days, as the value of a datetime-local input. */
function inThreeDays(): string {
  const at = new Date()
  at.setDate(at.getDate() + 3)
  const two = (n: number) => String(n).padStart(2, '0')
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T12:00`
}

// Each has its own server, because it changes the fees.
for (const { locale, language, operate, approvals, catalogue, trade, bulk, bids, sellBack } of languages) {
  test(`in ${locale} an admin proposes new fees, a second one approves, and the market announces them`, async ({
    browser,
  }) => {
    await withServer(async (server) => {
      const { settings: t } = operate
      const at = inThreeDays()
      const shownAt = dateTime(at, language)

      const admin = await newAdminPage(browser, server, locale)
      await admin.goto('/admin?tab=settings')
      await admin.getByRole('button', { name: t.changeFees }).click()
      const form = admin.getByRole('dialog', { name: t.changeFees })
      await form.getByRole('textbox', { name: t.inPercent(t.fee) }).fill('4.5')
      await form.getByRole('textbox', { name: t.inPercent(t.bidFee) }).fill('1.5')
      await form.getByLabel(t.effectiveAt).fill(at)
      await form.getByRole('textbox', { name: t.feesReason }).fill('Rent is lower')
      expect(await accessibilityViolations(admin)).toEqual([])
      await form.getByRole('button', { name: t.askForFees }).click()
      await expect(admin.getByText(operate.waitsForSecond, { exact: true })).toBeVisible()

      const requested = approvals.ratesFrom(approvals.rates(4.5, 1.5, 5), shownAt)
      await admin.goto('/admin?tab=approvals')
      const own = admin.getByRole('article')
      await expect(own).toContainText(requested)
      await expect(own).toContainText(approvals.own)
      await expect(own.getByRole('button')).toHaveCount(0)

      const other = await newAdminPage(browser, server, locale)
      await other.goto('/admin?tab=approvals')
      await expect(other.getByRole('article')).toContainText(requested)
      await other.getByRole('button', { name: approvals.approveOf(approvals.kinds['change-rates']) }).click()
      await other.getByRole('dialog').getByRole('textbox', { name: approvals.reason }).fill('We can afford it')
      await other.getByRole('dialog').getByRole('button', { name: approvals.approve }).click()
      await expect(other.getByText(approvals.none)).toBeVisible()
      await other.goto('/admin?tab=settings')
      await expect(other.getByRole('region', { name: t.fees })).toContainText(t.announced(shownAt, 4.5, 1.5, 5))

      const seller = await newVisitor(browser, server.url, locale)
      await signInWithPoints(seller, 100)
      // Nodes cache the fees for a second.
      await expect.poll(async () => (await getJson<Rates>(seller, '/api/rates')).announced.length).toBe(1)
      await expect(await seller.request.post('/api/packs/2/open', { data: { clientSeed: 'fees' } })).toBeOK()
      const [entry] = await getJson<InventoryEntry[]>(seller, '/api/inventory/me')
      await seller.goto('/my-collection')
      await seller.getByRole('button', { name: trade.sellItem(entry!.item.name) }).click()
      const dialog = seller.getByRole('dialog')
      await expect(dialog).toContainText(catalogue.feeChange(4.5, shownAt))
      await seller.keyboard.press('Escape')
      await expect(dialog).toHaveCount(0)

      await seller.getByRole('button', { name: sellBack.select }).click()
      const bar = seller.getByRole('region', { name: sellBack.bar })
      await bar.getByRole('button', { name: sellBack.all, exact: true }).click()
      await bar.getByRole('button', { name: bulk.buttons.list(1) }).click()
      await expect(dialog).toContainText(bulk.listingFee + catalogue.feeChange(4.5, shownAt))
      expect(await accessibilityViolations(seller)).toEqual([])

      const bidder = await newVisitor(browser, server.url, locale)
      await signInWithPoints(bidder, 100)
      await bidder.goto(`/item/${entry!.item.id}`)
      await bidder.getByRole('region', { name: bids.book.title }).getByRole('button', { name: bids.bid }).click()
      await expect(bidder.getByRole('dialog')).toContainText(catalogue.feeChange(1.5, shownAt))
      for (const page of [admin, other, seller, bidder]) await page.context().close()
    })
  })
}
