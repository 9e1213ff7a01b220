import type { Page } from '@playwright/test'
import { opens as opensEn } from '../src/features/inventory/texts/en'
import { opens as opensZh } from '../src/features/inventory/texts/zh'
import { leaderboard as boardEn } from '../src/features/leaderboard/texts/en'
import { leaderboard as boardZh } from '../src/features/leaderboard/texts/zh'
import { pull as pullEn, share as shareEn } from '../src/features/pulls/texts/en'
import { pull as pullZh, share as shareZh } from '../src/features/pulls/texts/zh'
import type { Opening, SharedPull } from '../src/contract/types'
import { dollars } from '../src/lib/format'
import { accessibilityViolations } from './support/axe'
import { getJson } from './support/api'
import { openIntro, resultAction, resultsHeading, skipToResults, startButton, toast } from './support/opening-dialog'
import { openToy } from './support/sealed'
import { expect, test } from './support/server'
import { newVisitor, signInWithPoints } from './support/sign-in'

/** Opens a pack through the API. */
async function openPack(page: Page, packId: string): Promise<Opening> {
  const answer = await page.request.post(`/api/packs/${packId}/open`, { data: { clientSeed: 'shared' } })
  await expect(answer).toBeOK()
  return (await answer.json()) as Opening
}

const isShared = async (page: Page, openId: string) =>
  (await getJson<{ shared: boolean }>(page, `/api/opens/${openId}`)).shared
const statusOf = async (page: Page, path: string) => (await page.request.get(path)).status()

for (const { locale, opens, pull, share, board } of [
  { locale: 'en-US', opens: opensEn, pull: pullEn, share: shareEn, board: boardEn },
  { locale: 'zh-CN', opens: opensZh, pull: pullZh, share: shareZh, board: boardZh },
] as const) {
  test.describe(locale, () => {
    test.use({ locale })

    test('a pull is shared, seen by a visitor without a name, and hidden again', async ({ page, browser, server }) => {
      test.slow()
      await signInWithPoints(page, 500)
      await expect(await page.request.patch('/api/auth/user', { data: { firstName: 'Secret Ann' } })).toBeOK()
      const opened = await openToy(page)
      const [card] = opened.items
      const path = `/pull/${opened.openId}`
      expect(await statusOf(page, `/api/pulls/${opened.openId}`)).toBe(404)

      await page.goto('/my-opens')
      const button = page.getByRole('article').getByRole('button', { name: opens.share })
      await button.click()
      const dialog = page.getByRole('dialog', { name: share.title })
      await expect(dialog.getByRole('switch', { name: share.on })).toHaveAccessibleDescription(share.before)
      await expect(dialog.getByRole('button', { name: share.copyLink })).toBeDisabled()
      expect(await accessibilityViolations(page)).toEqual([])
      await dialog.getByRole('switch', { name: share.on }).press('Space')
      await expect(dialog.getByRole('switch', { name: share.on, checked: true })).toHaveAccessibleDescription(
        share.after,
      )
      await expect(dialog.getByRole('button', { name: share.copyLink })).toBeEnabled()
      expect(await isShared(page, opened.openId)).toBe(true)
      const shared = await getJson<SharedPull>(page, `/api/pulls/${opened.openId}`)
      expect(shared).toMatchObject({ language: locale === 'zh-CN' ? 'zh' : 'en', items: [{ item: { id: card!.id } }] })
      const picture = dialog.getByRole('img', { name: share.preview })
      await expect(picture).toBeVisible({ timeout: 90_000 }) // once the server has drawn it
      await expect
        .poll(() => picture.evaluate((image: HTMLImageElement) => `${image.naturalWidth}x${image.naturalHeight}`))
        .toBe('1200x630')
      await expect(dialog.getByRole('link', { name: share.save })).toHaveAttribute('href', shared.previewUrl)
      await page.keyboard.press('Escape')
      await expect(dialog).toBeHidden()
      await expect(page.getByRole('article').getByRole('button', { name: opens.shared })).toBeFocused()

      const visitor = await newVisitor(browser, server.url, locale)
      expect((await visitor.goto(path))?.status()).toBe(200)
      const main = visitor.getByRole('main')
      await expect(main.getByRole('heading', { level: 1, name: card!.name })).toBeVisible()
      await expect(main).toContainText(dollars(opened.totalValueCents))
      await expect(main).not.toContainText('Secret Ann')
      expect(await visitor.content()).not.toContain('Secret Ann')
      expect(await accessibilityViolations(visitor)).toEqual([])
      await expect(main.getByRole('link', { name: pull.verifiedText })).toHaveAttribute(
        'href',
        `/verify/${opened.openId}`,
      )
      await main.getByRole('link', { name: pull.openPack }).click()
      await expect(visitor).toHaveURL('/pack/8')
      const top = visitor.getByRole('region', { name: board.topPulls.title })
      await top.getByRole('button', { name: board.topPulls.periods.all }).click()
      await expect(top.locator(`a[href="${path}"]`)).toHaveText(board.topPulls.see)
      await top.locator(`a[href="${path}"]`).click()
      await expect(main.getByRole('heading', { level: 1, name: card!.name })).toBeVisible()

      await page.getByRole('article').getByRole('button', { name: opens.shared }).click()
      await dialog.getByRole('switch', { name: share.on }).click()
      await expect(dialog.getByRole('switch', { name: share.on, checked: false })).toBeFocused()
      await expect(dialog.getByRole('button', { name: share.copyLink })).toBeDisabled()
      expect(await isShared(page, opened.openId)).toBe(false)
      expect((await visitor.goto(path))?.status()).toBe(404)
      await expect(main.getByRole('heading', { level: 1, name: pull.unknown })).toBeVisible()
      await main.getByRole('link', { name: pull.toPacks }).click()
      await expect(visitor).toHaveURL('/open-packs')
      await visitor.context().close()
    })

    test('several cards of a pack are shown together, best first', async ({ page }) => {
      await signInWithPoints(page, 25)
      const opened = await openPack(page, 'demo-pack-1')
      const path = `/api/pulls/${opened.openId}`
      await expect(await page.request.patch(path, { data: { shared: true } })).toBeOK()
      await page.goto(`/pull/${opened.openId}`)
      const cards = page.getByRole('list', { name: pull.cards }).getByRole('listitem')
      await expect(cards).toHaveCount(opened.items.length)
      const best = opened.items.toSorted((a, b) => b.baseValueCents - a.baseValueCents)[0]!
      await expect(cards.first()).toContainText(best.name)
      await expect(cards.first()).toContainText(dollars(best.baseValueCents))
      await cards.first().getByRole('link', { name: best.name }).click()
      await expect(page).toHaveURL(`/item/${best.id}`)
    })
  })
}

test('a pull is shared from its results, and its link copied', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'share'))
  await signInWithPoints(page, 25)
  await openIntro(page, 'demo-pack-1')
  await startButton(page).click()
  await skipToResults(page)
  const [opening] = await getJson<Opening[]>(page, '/api/opens')
  await resultAction(page, 'share').click()
  const dialog = page.getByRole('dialog', { name: shareEn.title })
  await dialog.getByRole('switch', { name: shareEn.on }).click()
  await dialog.getByRole('button', { name: shareEn.copyLink }).click()
  await expect(toast(page)).toContainText(shareEn.copied)
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    `${new URL(page.url()).origin}/pull/${opening!.openId}`,
  )
  expect(await isShared(page, opening!.openId)).toBe(true)
  await page.keyboard.press('Escape')
  // The first Escape may only close the toast.
  await expect(async () => {
    if (await dialog.isVisible()) await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden({ timeout: 1000 })
  }).toPass()
  await expect(resultsHeading(page)).toBeVisible()
})

test('a lost answer shares the pull once', async ({ page }) => {
  await signInWithPoints(page, 25)
  const { openId } = await openPack(page, '2')
  let calls = 0
  await page.route(`**/api/pulls/${openId}`, async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue()
    calls += 1
    const response = await route.fetch()
    return calls === 1 ? route.abort('connectionreset') : route.fulfill({ response })
  })
  await page.goto('/my-opens')
  await page.getByRole('article').getByRole('button', { name: opensEn.share }).click()
  const dialog = page.getByRole('dialog', { name: shareEn.title })
  await dialog.getByRole('switch', { name: shareEn.on }).click()
  await expect(dialog.getByRole('switch', { name: shareEn.on, checked: true })).toHaveAccessibleDescription(
    shareEn.after,
  )
  expect(calls).toBe(2)
  expect(await isShared(page, openId)).toBe(true)
})
