import * as t from '../src/i18n/texts/en'
import { opening as openingTexts } from '../src/features/opening/texts/en'
import { opens as inventoryTexts } from '../src/features/inventory/texts/en'
import { expectPaid, read } from './support/books'
import { expect, test } from './support/server'
import { arriveWith } from './support/sign-in'
import {
  countOpenCalls,
  enter,
  holdAnswer,
  loseAnswers,
  openButton,
  refuseNext,
  skipToResults,
  startButton,
  theatre,
  toast,
} from './support/theatre'

/** The page asks this often by itself before it says that no answer came. */
const tries = 3

test.beforeEach(async ({ page }) => {
  await arriveWith(page, 100)
})

test('a double click charges once', async ({ page }) => {
  const calls = countOpenCalls(page)
  await enter(page)
  await startButton(page).dblclick()
  await skipToResults(page)
  expect(calls()).toBe(1)
  await expectPaid(page, 100, 1)
})

test('two tabs that start the same pack at once share one open', async ({ page, context }) => {
  const other = await context.newPage()
  await enter(page)
  await enter(other)
  await Promise.all([startButton(page).click(), startButton(other).click()])
  await skipToResults(page)
  await skipToResults(other)
  await expectPaid(page, 100, 1)
})

test('a second tab says that the pull was already shown in the first', async ({ page, context }) => {
  const other = await context.newPage()
  await enter(page)
  await enter(other)
  const letGo = await holdAnswer(other)
  await startButton(other).click()
  await startButton(page).click()
  await skipToResults(page)
  await expect(toast(page)).toContainText(openingTexts.toast.opened)
  await expect(theatre(page)).not.toContainText(openingTexts.results.repeated)
  letGo()
  await expect(theatre(other).getByRole('alert')).toHaveText(openingTexts.results.repeated)
  await expect(toast(other)).toContainText(openingTexts.toast.repeatedText)
  await expectPaid(page, 100, 1)
})

test('cancelling within half a second costs nothing', async ({ page }) => {
  const calls = countOpenCalls(page)
  await enter(page)
  const start = await startButton(page).elementHandle()
  const leave = await theatre(page).getByRole('button', { name: t.shell.close }).elementHandle()
  await page.evaluate(
    async ([first, second]) => {
      ;(first as HTMLElement).click()
      await new Promise((resolve) => setTimeout(resolve))
      ;(second as HTMLElement).click()
    },
    [start, leave],
  )
  await expect(theatre(page)).toBeHidden()
  // By the time a second visit has its result, the first would have sent its request.
  await openButton(page).click()
  await startButton(page).click()
  await skipToResults(page)
  expect(calls()).toBe(1)
  await expectPaid(page, 100, 1)
})

test.describe('leaving during an open loses nothing', () => {
  test('with the close button', async ({ page }) => {
    const letGo = await holdAnswer(page)
    await enter(page)
    const sent = page.waitForRequest('**/api/packs/*/open')
    await startButton(page).click()
    await sent
    await theatre(page).getByRole('button', { name: t.shell.close }).click()
    await expect(theatre(page)).toBeHidden()
    await expect(page.getByRole('button', { name: 'opening...' })).toBeDisabled()
    letGo()
    await expect(toast(page)).toContainText('Pack Opened!You pulled 1 items!')
    await expect(openButton(page)).toBeEnabled()
    const [opening] = await expectPaid(page, 100, 1)
    await page.getByRole('navigation').getByRole('link', { name: 'My collection' }).click()
    await expect(page.getByRole('heading', { name: opening?.items[0]?.name ?? '', exact: true })).toBeVisible()
  })

  test('by closing the tab', async ({ page, context }) => {
    await enter(page)
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
    const lost = await loseAnswers(page, 1)
    await enter(page)
    await startButton(page).click()
    await skipToResults(page)
    const [opening] = await expectPaid(page, 100, 1)
    expect(lost.map(({ openId }) => openId)).toEqual([opening?.openId])
    await expect(theatre(page).getByText(lost[0]?.items[0]?.name ?? '')).toBeVisible()
  })

  for (const reload of [false, true]) {
    test(`that keeps getting lost arrives when the pack is opened again${reload ? ' after a reload' : ''}`, async ({
      page,
    }) => {
      const lost = await loseAnswers(page, tries)
      await enter(page)
      await startButton(page).click()
      await expect(toast(page)).toContainText(`Error Opening Pack${openingTexts.toast.unanswered}`)
      await expect(theatre(page)).toBeHidden()
      const [paid] = await expectPaid(page, 100, 1)
      expect(new Set(lost.map(({ openId }) => openId))).toEqual(new Set([paid?.openId]))
      expect(lost).toHaveLength(tries)

      if (reload) await page.reload()
      await openButton(page).click()
      await expect(theatre(page)).toContainText(openingTexts.intro.unanswered)
      await startButton(page).click()
      await skipToResults(page)
      await expect(theatre(page).getByText(paid?.items[0]?.name ?? '')).toBeVisible()
      await expectPaid(page, 100, 1)
      await expect(page.getByRole('complementary', { includeHidden: true })).toContainText('75.00')
    })
  }
})

test('a commitment used by another tab is replaced without a charge', async ({ page }) => {
  await enter(page)
  const elsewhere = await page.request.post('/api/packs/3/open', { data: { clientSeed: 'elsewhere' } })
  await expect(elsewhere).toBeOK()
  await startButton(page).click()
  await expect(toast(page)).toContainText(`Error Opening Pack${t.errors.commitment_changed}`)
  await expect(theatre(page)).toBeHidden()
  await expectPaid(page, 100, 1)

  await openButton(page).click()
  const { commitment } = await read<{ commitment: string }>(page, '/api/fairness/commitment')
  await expect(theatre(page)).toContainText(commitment)
  await startButton(page).click()
  await skipToResults(page)
  const [opening] = await expectPaid(page, 100, 2)
  expect(opening?.commitment).toBe(commitment)
})

test('a balance spent elsewhere is refused without a charge', async ({ page }) => {
  await page.request.post('/api/packs/8/open', { data: { clientSeed: 'too dear' } })
  await page.route('**/api/wallet', (route) => route.fulfill({ json: { displayBalance: 500, balanceCents: 50_000 } }))
  await enter(page, '8')
  await startButton(page).click()
  await expect(toast(page)).toContainText('Error Opening PackNot enough Play Points. You weren’t charged.')
  await expect(theatre(page)).toBeHidden()
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
    await refuseNext(page, 500, 'internal')
    await page.setViewportSize({ width, height })
    await enter(page)
    await startButton(page).click()
    const said = toast(page).getByRole('listitem', { includeHidden: true })
    await expect(said).toContainText(openingTexts.toast.internal)
    await said.hover() // it stays while it is read
    await expect(said).toBeInViewport({ ratio: 1 })
    const text = (await said.boundingBox())!
    const button = (await openButton(page).boundingBox())!
    expect(text.y + text.height <= button.y || button.y + button.height <= text.y).toBe(true)
  })
}

for (const { status, code, text } of refusals) {
  test(`a ${status} says what happened to the points, and the next try requests the same draw`, async ({ page }) => {
    await refuseNext(page, status, code)
    await enter(page)
    await startButton(page).click()
    await expect(toast(page)).toContainText(`Error Opening Pack${text}`)
    await expect(theatre(page)).toBeHidden()
    await expectPaid(page, 100, 0)

    await openButton(page).click()
    await expect(theatre(page)).toContainText(openingTexts.intro.unanswered)
    await startButton(page).click()
    await skipToResults(page)
    await expectPaid(page, 100, 1)
  })
}
