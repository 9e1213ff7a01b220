import { verify as en } from '../src/features/proofs/texts/en'
import { verify as zh } from '../src/features/proofs/texts/zh'
import type { Opening } from '../src/contract/types'
import { getJson } from './support/api'
import { expect, replaceLogKey, test } from './support/server'
import { signInWithPoints } from './support/sign-in'

test.use({ ownServer: 'log-key' })

for (const { locale, t } of [
  { locale: 'en-US', t: en },
  { locale: 'zh-CN', t: zh },
]) {
  test.describe(locale, () => {
    test.use({ locale })

    test('a pull from before the log’s key was replaced is verified with its own key', async ({ page, server }) => {
      await signInWithPoints(page, 25)
      const pack = '/api/packs/demo-pack-1/open'
      await expect(await page.request.post(pack, { data: { clientSeed: 'log key' } })).toBeOK()
      const [opening] = await getJson<Opening[]>(page, '/api/opens')
      const keyBefore = await (await page.request.get('/log/key')).text()
      await replaceLogKey(server)
      const keyNow = await (await page.request.get('/log/key')).text()
      expect(keyNow).not.toBe(keyBefore)

      await page.goto(`/verify/${opening?.openId}`)
      await page.getByRole('main').getByText(t.verification.allSteps, { exact: true }).click()
      const steps = page.getByRole('main').getByRole('listitem')
      const logKey = steps.filter({ hasText: t.verification.steps.logKey.title })
      await expect(logKey).toContainText(t.verification.state.ok)
      await logKey.getByText(t.verification.steps.logKey.title).click()
      await expect(logKey.getByText(t.verification.facts.currentKey)).toBeVisible()
      await expect(logKey.getByText(keyNow.trim())).toBeVisible()
      await expect(logKey.getByText(keyBefore.trim())).toBeVisible()
      for (const id of ['receipt', 'leaf', 'inclusion', 'checkpoint'] as const) {
        await expect(steps.filter({ hasText: t.verification.steps[id].title })).toContainText(t.verification.state.ok)
      }
      await expect(page.getByText(t.verification.verdict.failed)).toHaveCount(0)
    })
  })
}
