import { limits as t } from '../src/features/limits/texts/en'
import { limits as zh } from '../src/features/limits/texts/zh'
import { houserules as rulesEn } from '../src/features/houserules/texts/en'
import { houserules as rulesZh } from '../src/features/houserules/texts/zh'
import { pack, store } from '../src/features/store/texts/en'
import { market as marketTexts } from '../src/features/market/texts/en'
import { opening } from '../src/features/opening/texts/en'
import { errors, identity, shell } from '../src/i18n/texts/en'
import type { Limits } from '../src/contract/types'
import { getJson } from './support/api'
import { expect, test, withServer } from './support/server'
import { signInWithPoints, connectButton, logoutButton, walletRow } from './support/sign-in'
import { openIntro, startButton } from './support/opening-dialog'

const { market } = marketTexts
const open = { data: { clientSeed: 'limits' } }

test('a limit is set and reached, and removing it waits for confirmation', async ({ page }) => {
  await signInWithPoints(page, 100)
  await page.goto('/limits')
  const table = page.getByRole('table', { name: t.table.caption(t.table.loss) })
  const set = async (amount: string) => {
    await page.getByRole('button', { name: t.table.changeOf(t.table.loss, t.table.spans.day) }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: t.dialog.amount }).fill(amount)
    await dialog.getByRole('button', { name: t.dialog.save }).click()
    await expect(dialog).toBeHidden()
  }
  await set('30')
  await expect(table.getByRole('row', { name: t.table.spans.day })).toContainText('30.00')
  await expect(await page.request.post('/api/packs/2/open', open)).toBeOK()
  expect((await page.request.post('/api/packs/2/open', open)).status()).toBe(403)
  await page.reload()
  await expect(table.getByRole('row', { name: t.table.spans.day })).toContainText('25.00')
  await expect(page.getByRole('heading', { name: t.figures.luck })).toBeVisible()
  await set('')
  await expect(page.getByText(t.dialog.requested, { exact: true })).toBeVisible()
  await expect(page.getByText('You asked to remove this limit.')).toBeVisible()
  const [day] = (await getJson<Limits>(page, '/api/limits')).limits
  expect(day).toMatchObject({ cents: 30_00, usedCents: 25_00, wanted: { cents: null } })
  await page.getByRole('button', { name: t.table.confirm }).click()
  await expect(page.getByText(errors.too_early, { exact: true })).toBeVisible()
})

test('excluding yourself while a pack is about to open prevents the open', async ({ page, context }) => {
  await signInWithPoints(page, 100)
  await openIntro(page)
  await expect(page.getByRole('list', { name: opening.intro.odds }).getByRole('listitem').first()).toBeVisible()
  const start = startButton(page)
  await expect(start).toBeEnabled()

  const other = await context.newPage()
  await other.goto('/limits')
  await other.getByRole('button', { name: t.stop.beginExclusion }).click()
  const question = other.getByRole('dialog', { name: t.stop.monthsQuestion })
  await question.getByRole('button', { name: t.stop.beginExclusion }).click()
  await expect(other.getByRole('alert').filter({ hasText: t.stop.goOn })).toBeVisible()

  await start.click()
  const until = new RegExp(`^${errors.excluded.replace('{until}', String.raw`\d{4}-\d\d-\d\d \d\d:\d\d UTC`)}$`)
  await expect(page.getByText(until)).toBeVisible()
  expect(await getJson<object[]>(page, '/api/opens')).toEqual([])

  // Afterwards the pack's page says so before opening.
  await page.goto('/pack/2')
  const button = page.getByRole('button', { name: pack.openPack })
  await expect(button).toBeDisabled()
  await expect(button).toHaveAccessibleDescription(`${pack.onBreak} ${shell.nav.limits}`)
  await page.goto('/topup')
  await expect(page.getByRole('main').getByRole('alert')).toContainText(t.stop.goOn)
})

test.describe('in Chinese', () => {
  test.use({ locale: 'zh-CN' })
  test('limits and rules are shown', async ({ page }) => {
    await signInWithPoints(page, 10)
    await page.goto('/limits')
    await expect(page.getByRole('heading', { level: 1, name: zh.title })).toBeVisible()
    await expect(page.getByRole('table', { name: zh.table.caption(zh.table.deposit) })).toContainText('10.00')
    await page.goto('/rules')
    await expect(page.getByText(rulesZh.celebrateAll)).toBeVisible()
    await expect(page.getByText(rulesZh.demoBy.uniform)).toBeVisible()
  })
})

test('without marketplace and sell-back, no page links to them', async ({ page }) => {
  await withServer(
    async ({ url }) => {
      const sent = await (await page.request.get(`${url}/rules`)).text()
      expect(sent).not.toContain('href="/marketplace"')
      await page.goto(`${url}/marketplace`)
      await expect(page.getByRole('heading', { level: 1, name: market.off.title })).toBeVisible()
      await expect(page.getByRole('link', { name: shell.nav.marketplace })).toBeHidden()
      await page.goto(`${url}/open-packs`)
      await expect(page.getByRole('main').getByText(shell.pointWorth).first()).toBeVisible()
      await expect(page.getByText(store.tooDear).first()).toBeVisible()
      await page.goto(`${url}/pack/8`)
      await expect(page.getByText(pack.tooDear('$28.00'))).toBeVisible()
    },
    { KAIBAO_ADDR: '127.0.0.1:0', KAIBAO_PAYMENTS: 'sandbox', KAIBAO_RATE_LIMITS: 'off', KAIBAO_PROFILE: 'cn' },
  )
})

test('the strict profile asks for the visitor’s age and shows its rules', async ({ page }) => {
  await withServer(
    async ({ url }) => {
      await page.goto(`${url}/rules`)
      await expect(page.getByText(rulesEn.ageAtLeast(18))).toBeVisible()
      await expect(page.getByText(rulesEn.celebrateWins)).toBeVisible()
      await expect(page.getByText(rulesEn.demoBy.real)).toBeVisible()
      await connectButton(page).click()
      await page.getByRole('button', { name: identity.age.grown(18) }).click()
      await walletRow(page, /Demo wallet/).click()
      await expect(logoutButton(page)).toBeVisible()
    },
    { KAIBAO_ADDR: '127.0.0.1:0', KAIBAO_PAYMENTS: 'sandbox', KAIBAO_RATE_LIMITS: 'off', KAIBAO_PROFILE: 'uk-strict' },
  )
})
