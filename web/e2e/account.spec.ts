import { account as en } from '../src/features/account/texts/en'
import { account as zh } from '../src/features/account/texts/zh'
import { accessibilityViolations } from './support/axe'
import { expect, test } from './support/server'
import { signInWithWallet } from './support/sign-in'

for (const [locale, t] of [
  ['en-US', en],
  ['zh-CN', zh],
] as const) {
  test.describe(`in ${locale}`, () => {
    test.use({ locale })

    test('data is downloaded after a signature', async ({ page }) => {
      const { address } = await signInWithWallet(page, 50)
      await page.goto('/account')
      await expect(page.getByRole('heading', { name: t.data.heading })).toBeVisible()
      await expect(page.getByRole('main').getByText(address, { exact: true })).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])
      const downloading = page.waitForEvent('download')
      await page.getByRole('button', { name: t.data.button }).click()
      const download = await downloading
      expect(download.suggestedFilename()).toBe('kaibao-data.zip')
      await download.path()
      await expect(page.getByText(t.data.started, { exact: true })).toBeVisible()
      // Nobody can download it again.
      expect((await page.request.get(download.url())).status()).toBe(404)
    })

    test('a deletion is requested, shown on every page, and canceled', async ({ page }) => {
      await signInWithWallet(page, 50)
      await page.goto('/account')
      await page.getByRole('button', { name: t.deletion.button }).focus()
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog')
      await expect(dialog.getByText(t.deletion.pointsText)).toBeVisible()
      await expect(dialog.getByText(t.deletion.backups(365))).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])
      await dialog.getByRole('button', { name: t.deletion.confirm }).click()
      await expect(dialog).toBeHidden()
      const banner = page.getByRole('region', { name: t.deletion.heading })
      await expect(banner).toBeVisible()
      await page.goto('/open-packs')
      await expect(banner).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])
      await page.reload()
      await banner.getByRole('button', { name: t.deletion.cancel }).click()
      await expect(page.getByText(t.deletion.canceled, { exact: true })).toBeVisible()
      await expect(banner).toBeHidden()
      await page.goto('/account')
      await expect(page.getByRole('button', { name: t.deletion.button })).toBeEnabled()
    })
  })
}
