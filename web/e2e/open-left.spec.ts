import type { Page } from '@playwright/test'
import { pack as packEn } from '../src/features/store/texts/en'
import { pack as packZh } from '../src/features/store/texts/zh'
import { opening as openingEn } from '../src/features/opening/texts/en'
import { opening as openingZh } from '../src/features/opening/texts/zh'
import { expectPaid } from './support/api'
import { expect, test } from './support/server'
import { signInWithPoints } from './support/sign-in'
import { holdResponse } from './support/opening-dialog'

for (const { locale, pack, opening } of [
  { locale: 'en-US', pack: packEn, opening: openingEn },
  { locale: 'zh-CN', pack: packZh, opening: openingZh },
]) {
  test.describe(`the result of an interrupted open, in ${locale},`, () => {
    test.use({ locale })

    test.beforeEach(async ({ page }) => {
      await signInWithPoints(page, 100)
    })

    async function start(page: Page) {
      await page.getByRole('button', { name: pack.openPack, exact: true }).click()
      await page.getByRole('button', { name: opening.intro.start('25') }).click()
    }

    async function expectReported(page: Page) {
      const toast = page.locator('li', { hasText: opening.toast.opened })
      await expect(toast).toContainText(opening.toast.pulled(1))
      await toast.getByRole('link', { name: opening.toast.view }).click()
      await expect(page).toHaveURL(/\/my-opens$/)
      await expect(page.getByRole('main').getByRole('article')).toHaveCount(1)
      await expectPaid(page, 100, 1)
    }

    test('appears on the page reached with Back', async ({ page }) => {
      await page.goto('/open-packs')
      await page.locator('a[href="/pack/2"]').first().click()
      await expect(page).toHaveURL(/\/pack\/2$/)
      const release = await holdResponse(page)
      const sent = page.waitForRequest('**/api/packs/*/open')
      await start(page)
      await sent
      await page.goBack()
      await expect(page).toHaveURL(/\/open-packs$/)
      release()
      await expectReported(page)
    })

    test('appears once on the next visit if the tab was closed during the animation', async ({ page, context }) => {
      await page.goto('/pack/2')
      const answered = page.waitForResponse('**/api/packs/*/open')
      await start(page)
      await (await answered).finished()
      await expect
        .poll(() => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('unshown:')).length))
        .toBe(1)
      await page.close()
      const next = await context.newPage()
      await next.goto('/')
      await expectReported(next)
      await next.reload()
      await expect(next.getByRole('main').getByRole('article')).toHaveCount(1)
      await expect(next.getByText(opening.toast.opened)).toBeHidden()
    })

    test('appears in another open tab only after the first one closes', async ({ page, context }) => {
      await page.goto('/pack/2')
      await holdResponse(page)
      await start(page)
      await expect(async () => void (await expectPaid(page, 100, 1))).toPass()
      const other = await context.newPage()
      const read = other.waitForResponse('**/api/opens')
      await other.goto('/')
      await (await read).finished()
      await other.waitForLoadState('networkidle')
      await expect(other.getByText(opening.toast.opened)).toBeHidden()
      await page.close()
      await expectReported(other)
    })

    test('appears on the next page after a reload before the response', async ({ page }) => {
      await page.goto('/pack/2')
      await holdResponse(page)
      await start(page)
      await expect(async () => void (await expectPaid(page, 100, 1))).toPass()
      await page.reload()
      await expectReported(page)
    })

    test('appears on the next page after a reload during the animation', async ({ page }) => {
      await page.goto('/pack/2')
      const answered = page.waitForResponse('**/api/packs/*/open')
      await start(page)
      await answered
      await page.reload()
      await expectReported(page)
      await page.reload()
      await expect(page.getByRole('main').getByRole('article')).toHaveCount(1)
      await expect(page.getByText(opening.toast.opened)).toBeHidden()
    })
  })
}
