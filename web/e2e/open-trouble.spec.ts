import * as t from '../src/i18n/texts/en'
import { opening as openingTexts } from '../src/features/opening/texts/en'
import { opens as inventoryTexts } from '../src/features/inventory/texts/en'
import { expectPaid, getJson } from './support/api'
import { expect, test } from './support/server'
import { orderToy } from './support/sealed'
import { signInWithPoints } from './support/sign-in'
import {
  countOpenRequests,
  openIntro,
  holdResponse,
  loseResponses,
  openButton,
  refuseNextOpen,
  skipToResults,
  startButton,
  openingDialog,
  toast,
} from './support/opening-dialog'

/** How often the page sends a request before it reports a missing response. */
const tries = 3

test.beforeEach(async ({ page }) => {
  await signInWithPoints(page, 100)
})

test('a double click charges once', async ({ page }) => {
  const calls = countOpenRequests(page)
  await openIntro(page)
  await startButton(page).dblclick()
  await skipToResults(page)
  expect(calls()).toBe(1)
  await expectPaid(page, 100, 1)
})

test('two tabs that start the same pack at once share one open', async ({ page, context }) => {
  const other = await context.newPage()
  await openIntro(page)
  await openIntro(other)
  await Promise.all([startButton(page).click(), startButton(other).click()])
  await skipToResults(page)
  await skipToResults(other)
  await expectPaid(page, 100, 1)
})

test('a second tab says that the pull was already shown in the first', async ({ page, context }) => {
  const other = await context.newPage()
  await openIntro(page)
  await openIntro(other)
  const release = await holdResponse(other)
  await startButton(other).click()
  await startButton(page).click()
  await skipToResults(page)
  await expect(toast(page)).toContainText(openingTexts.toast.opened)
  await expect(openingDialog(page)).not.toContainText(openingTexts.results.repeated)
  release()
  await expect(openingDialog(other).getByRole('alert')).toHaveText(openingTexts.results.repeated)
  await expect(toast(other)).toContainText(openingTexts.toast.repeatedText)
  await expectPaid(page, 100, 1)
})

test('cancelling within half a second costs nothing', async ({ page }) => {
  const calls = countOpenRequests(page)
  await openIntro(page)
  const start = await startButton(page).elementHandle()
  const leave = await openingDialog(page).getByRole('button', { name: t.shell.close }).elementHandle()
  await page.evaluate(
    async ([first, second]) => {
      ;(first as HTMLElement).click()
      await new Promise((resolve) => setTimeout(resolve))
      ;(second as HTMLElement).click()
    },
    [start, leave],
  )
  await expect(openingDialog(page)).toBeHidden()
  // When a second visit has its result, the first one would have sent its request.
  await openButton(page).click()
  await startButton(page).click()
  await skipToResults(page)
  expect(calls()).toBe(1)
  await expectPaid(page, 100, 1)
})

test.describe('leaving during an open loses nothing', () => {
  test('with the close button', async ({ page }) => {
    const release = await holdResponse(page)
    await openIntro(page)
    const sent = page.waitForRequest('**/api/packs/*/open')
    await startButton(page).click()
    await sent
    await openingDialog(page).getByRole('button', { name: t.shell.close }).click()
    await expect(openingDialog(page)).toBeHidden()
    await expect(page.getByRole('button', { name: 'opening...' })).toBeDisabled()
    release()
    await expect(toast(page)).toContainText('Pack Opened!You pulled 1 items!')
    await expect(openButton(page)).toBeEnabled()
    const [opening] = await expectPaid(page, 100, 1)
    await page.getByRole('navigation').getByRole('link', { name: 'My collection' }).click()
    await expect(page.getByRole('heading', { name: opening?.items[0]?.name ?? '', exact: true })).toBeVisible()
  })

  test('by closing the tab', async ({ page, context }) => {
    await openIntro(page)
    const answered = page.waitForResponse('**/api/packs/*/open')
    await startButton(page).click()
    await answered
    await page.close()
    const later = await context.newPage()
    await later.goto('/my-opens')
    await expect(later.getByRole('list', { name: inventoryTexts.list }).getByRole('article')).toHaveCount(1)
    await expectPaid(later, 100, 1)
  })
})

test.describe('a lost response', () => {
  test('is retried at once', async ({ page }) => {
    const lost = await loseResponses(page, 1)
    await openIntro(page)
    await startButton(page).click()
    await skipToResults(page)
    const [opening] = await expectPaid(page, 100, 1)
    expect(lost.map(({ openId }) => openId)).toEqual([opening?.openId])
    await expect(openingDialog(page).getByText(lost[0]?.items[0]?.name ?? '')).toBeVisible()
  })

  for (const reload of [false, true]) {
    test(`that keeps getting lost arrives when the pack is opened again${reload ? ' after a reload' : ''}`, async ({
      page,
    }) => {
      const lost = await loseResponses(page, tries)
      await openIntro(page)
      await startButton(page).click()
      await expect(toast(page)).toContainText(`Error Opening Pack${openingTexts.toast.unanswered}`)
      await expect(openingDialog(page)).toBeHidden()
      const [paid] = await expectPaid(page, 100, 1)
      expect(new Set(lost.map(({ openId }) => openId))).toEqual(new Set([paid?.openId]))
      expect(lost).toHaveLength(tries)

      if (reload) await page.reload()
      await openButton(page).click()
      await expect(openingDialog(page)).toContainText(openingTexts.intro.unanswered)
      await startButton(page).click()
      await skipToResults(page)
      await expect(openingDialog(page).getByText(paid?.items[0]?.name ?? '')).toBeVisible()
      await expectPaid(page, 100, 1)
      await expect(page.getByRole('complementary', { includeHidden: true })).toContainText('75.00')
    })
  }
})

test('a commitment used by another tab is replaced without a charge', async ({ page }) => {
  await openIntro(page)
  const otherOpen = await page.request.post('/api/packs/3/open', { data: { clientSeed: 'elsewhere' } })
  await expect(otherOpen).toBeOK()
  await startButton(page).click()
  await expect(toast(page)).toContainText(`Error Opening Pack${t.errors.commitment_changed}`)
  await expect(openingDialog(page)).toBeHidden()
  await expectPaid(page, 100, 1)

  await openButton(page).click()
  const { commitment } = await getJson<{ commitment: string }>(page, '/api/fairness/commitment')
  await expect(openingDialog(page)).toContainText(commitment)
  await startButton(page).click()
  await skipToResults(page)
  const [opening] = await expectPaid(page, 100, 2)
  expect(opening?.commitment).toBe(commitment)
})

test('a balance spent elsewhere is refused without a charge', async ({ page }) => {
  await orderToy(page, 402)
  await page.route('**/api/wallet', (route) => route.fulfill({ json: { displayBalance: 500, balanceCents: 50_000 } }))
  await openIntro(page, '8')
  await startButton(page).click()
  await expect(toast(page)).toContainText('Error Opening PackNot enough Play Points. You weren’t charged.')
  await expect(openingDialog(page)).toBeHidden()
  await expectPaid(page, 100, 0)
})

const refusals = [
  { status: 410, code: 'sold_out', text: 'This pack is sold out. You weren’t charged.' },
  { status: 500, code: 'internal', text: openingTexts.toast.internal },
] as const

for (const [width, height] of [
  [1440, 720],
  [1440, 1000],
  [768, 1024],
] as const) {
  test(`the error of an open doesn’t cover the button it refers to, at ${width} × ${height}`, async ({ page }) => {
    await refuseNextOpen(page, 500, 'internal')
    await page.setViewportSize({ width, height })
    await openIntro(page)
    await startButton(page).click()
    const toastItem = toast(page).getByRole('listitem', { includeHidden: true })
    await expect(toastItem).toContainText(openingTexts.toast.internal)
    await toastItem.hover() // hovering keeps it open
    await expect(toastItem).toBeInViewport({ ratio: 1 })
    const text = (await toastItem.boundingBox())!
    const button = (await openButton(page).boundingBox())!
    expect(text.y + text.height <= button.y || button.y + button.height <= text.y).toBe(true)
  })
}

for (const { status, code, text } of refusals) {
  test(`a ${status} says what happened to the points, and the next try requests the same draw`, async ({ page }) => {
    await refuseNextOpen(page, status, code)
    await openIntro(page)
    await startButton(page).click()
    await expect(toast(page)).toContainText(`Error Opening Pack${text}`)
    await expect(openingDialog(page)).toBeHidden()
    await expectPaid(page, 100, 0)

    await openButton(page).click()
    await expect(openingDialog(page)).toContainText(openingTexts.intro.unanswered)
    await startButton(page).click()
    await skipToResults(page)
    await expectPaid(page, 100, 1)
  })
}
