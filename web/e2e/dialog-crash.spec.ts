import * as en from '../src/i18n/texts/en'
import * as zh from '../src/i18n/texts/zh'
import { pack as packEn } from '../src/features/store/texts/en'
import { pack as packZh } from '../src/features/store/texts/zh'
import { opening as openingEn } from '../src/features/opening/texts/en'
import { opening as openingZh } from '../src/features/opening/texts/zh'
import { crash as crashEn } from '../src/components/ui/texts/en'
import { crash as crashZh } from '../src/components/ui/texts/zh'
import { expectPaid } from './support/api'
import { expect, test } from './support/server'
import { signInWithPoints } from './support/sign-in'
import { holdResponse } from './support/opening-dialog'

for (const { locale, t, pack, opening, crash } of [
  { locale: 'en-US', t: en, pack: packEn, opening: openingEn, crash: crashEn },
  { locale: 'zh-CN', t: zh, pack: packZh, opening: openingZh, crash: crashZh },
]) {
  test.describe(`in ${locale}`, () => {
    test.use({ locale })

    test('an opening dialog that crashes during payment says what was charged, and the page survives', async ({
      page,
    }) => {
      await signInWithPoints(page, 100)
      const release = await holdResponse(page)
      await page.goto('/pack/2')
      const openButton = page.getByRole('button', { name: pack.openPack, exact: true })
      await openButton.click()
      const sent = page.waitForRequest('**/api/packs/*/open')
      await page.getByRole('button', { name: opening.intro.start('25') }).click()
      await sent
      // Like an extension, remove a node that React will remove later.
      await page.getByRole('dialog').evaluate((dialog) => dialog.replaceChildren())
      release()

      const crashed = page.getByRole('dialog', { name: crash.title })
      await expect(crashed.getByRole('alert')).toHaveText(crash.opened)
      await expectPaid(page, 100, 1)
      const opened = page.context().waitForEvent('page')
      await crashed.getByRole('link', { name: crash.links.opens }).click({ modifiers: ['ControlOrMeta'] })
      const history = await opened
      await expect(history).toHaveURL(/\/my-opens$/)
      await expect(history.getByRole('main').getByRole('article')).toHaveCount(1)
      await crashed.getByRole('button', { name: t.shell.close }).click()
      await expect(crashed).toBeHidden()
      await expect(openButton).toBeEnabled()
    })
  })
}
