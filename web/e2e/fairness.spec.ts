import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { shell } from '../src/i18n/texts/en'
import { fairness as books, verify as t } from '../src/features/proofs/texts/en'
import type { Opening } from '../src/contract/types'
import { getJson } from './support/api'
import { blockFeed } from './support/feed'
import { openToy } from './support/sealed'
import { expect, test } from './support/server'
import { signInWithPoints } from './support/sign-in'
import {
  openIntro,
  expectAllStepsPassed,
  resultAction,
  skipToResults,
  startButton,
  unfoldSteps,
  verifyStep,
} from './support/opening-dialog'

// Long journeys with several visitors.
test.describe.configure({ timeout: 180_000 })

const main = (page: Page) => page.getByRole('main')

async function openHere(page: Page, packId: string): Promise<Opening> {
  await openIntro(page, packId)
  await startButton(page).click()
  await skipToResults(page)
  const [opening] = await getJson<Opening[]>(page, '/api/opens')
  if (!opening) throw new Error('no opening')
  return opening
}

async function saveProof(page: Page): Promise<string> {
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: t.proof.save }).click()
  return readFile(await (await download).path(), 'utf8')
}

/** Drops a file on the page's drop zone. */
async function drop(page: Page, text: string): Promise<void> {
  const transfer = await page.evaluateHandle((content) => {
    const data = new DataTransfer()
    data.items.add(new File([content], 'proof.json', { type: 'application/json' }))
    return data
  }, text)
  await page.getByLabel(t.check.file).dispatchEvent('drop', { dataTransfer: transfer })
}

/** Blocks all requests of the page. */
async function switchOff(page: Page): Promise<void> {
  await page.route('**/*', (route) => route.abort('connectionrefused'))
}

test('an open is verified on its page, and a changed byte in its file is detected offline', async ({ page }) => {
  await signInWithPoints(page, 25)
  const opening = await openHere(page, 'demo-pack-1')
  await resultAction(page, 'verify fairness').click()
  await expectAllStepsPassed(page.getByRole('dialog', { name: t.verification.title }), 5)

  await page.goto('/my-opens')
  await page.getByRole('link', { name: 'Verify', exact: true }).click()
  await expect(page).toHaveURL(new RegExp(`/verify/${opening.openId}$`))
  await expectAllStepsPassed(main(page), 5)
  const file = await saveProof(page)

  await blockFeed(page)
  await page.goto('/verify')
  await expect(page.getByText(t.check.ready)).toBeVisible()
  await switchOff(page)
  await drop(page, file)
  // Only the server knows whose open it is and the next commitment. This browser has stored the commitment it was shown.
  await expect(main(page).getByText(t.verification.counts(15, 1, 0))).toBeVisible()
  await unfoldSteps(main(page))
  await expect(verifyStep(main(page), t.verification.steps.next.title)).toContainText(t.verification.state.info)

  const { leaf } = JSON.parse(file) as { leaf: string }
  const [seed = ''] = /(?<=serverSeed )\w/.exec(leaf) ?? []
  await page.getByRole('button', { name: t.check.another }).click()
  await drop(page, file.replace(/(?<="leaf": "[^"]*serverSeed )\w/, seed === '0' ? '1' : '0'))
  await expect(main(page).getByText(t.verification.verdict.failed)).toBeVisible()
  for (const id of ['commitment', 'leaf', 'inclusion'] as const) {
    await expect(verifyStep(main(page), t.verification.steps[id].title)).toContainText(t.verification.state.failed)
  }
  for (const id of ['manifest', 'receipt', 'checkpoint'] as const) {
    await expect(verifyStep(main(page), t.verification.steps[id].title)).toContainText(t.verification.state.ok)
  }

  await page.getByRole('button', { name: t.check.another }).click()
  await drop(
    page,
    file.replace(/(?<="manifest": "[^"]*tier )\d/, (digit) => (digit === '1' ? '2' : '1')),
  )
  await expect(verifyStep(main(page), t.verification.steps.manifest.title)).toContainText(t.verification.state.failed)
  await expect(verifyStep(main(page), t.verification.steps.leaf.title)).toContainText(t.verification.state.ok)
})

test('a file dropped before the verifier has loaded is checked afterwards', async ({ page }) => {
  await signInWithPoints(page, 25)
  const opening = await openHere(page, 'demo-pack-1')
  await page.goto(`/verify/${opening.openId}`)
  const file = await saveProof(page)

  let gone = true
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    const response = await route.fetch()
    const ofVerifier = (await response.text()).includes('inclusionProof')
    await (ofVerifier && gone ? route.abort('connectionrefused') : route.fulfill({ response }))
  })
  await Promise.all([page.waitForResponse('**/log/key'), page.goto('/verify')])
  await drop(page, file)
  await expect(page.getByText(shell.missingCode.failed)).toBeVisible()
  await expect(main(page).getByText(t.check.ready)).toBeHidden()

  gone = false
  await expectAllStepsPassed(main(page), 5)
})

test('anyone can verify an open, and sees which steps need the whole log', async ({ page, browser, server }) => {
  await signInWithPoints(page, 500)
  const opening = await openToy(page)
  const stranger = await browser.newContext({ baseURL: server.url })
  const theirs = await stranger.newPage()
  await theirs.goto('/verify')
  await theirs.getByLabel(t.check.openId).fill(opening.openId)
  await theirs.keyboard.press('Enter')
  await expect(main(theirs).getByText(t.verification.verdict.info)).toBeVisible()
  await expect(main(theirs).getByText(t.verification.state.failed)).toHaveCount(0)
  await unfoldSteps(main(theirs))
  const step = verifyStep(main(theirs), t.verification.steps.item.title(1))
  await expect(step).toContainText(t.verification.state.info)
  await step.locator('summary').click()
  await expect(step.getByText(t.verification.notes.stock)).toBeVisible()
  await expect(step.getByText(`kaibao verify log ${server.url}`)).toBeVisible()
  await stranger.close()
})

test('an open is counted in the statistics at once and added to the log', async ({ page }) => {
  await page.goto('/fairness')
  const book = page.getByRole('article', { name: 'Pokemon', exact: true })
  const counted = async () => Number.parseInt((await book.getByText(/^[\d,]+ opens?$/).textContent()) ?? '', 10)
  const lines = page.getByRole('region', { name: books.log }).getByRole('definition').first()
  await expect(book).toBeVisible()
  const before = { opens: await counted(), lines: Number((await lines.textContent())?.replaceAll(',', '')) }

  await signInWithPoints(page, 25)
  await expect(await page.request.post('/api/packs/2/open', { data: { clientSeed: 'books' } })).toBeOK()
  await expect.poll(counted).toBeGreaterThan(before.opens)
  await expect.poll(async () => Number((await lines.textContent())?.replaceAll(',', ''))).toBeGreaterThan(before.lines)
  for (const link of [books.keyLink, books.checkpointLink]) {
    const href = await page.getByRole('link', { name: link }).getAttribute('href')
    await expect(await page.request.get(href ?? '')).toBeOK()
  }
})

test('neither a fully expanded proof nor the statistics scroll sideways', async ({ page }) => {
  await signInWithPoints(page, 25)
  const { openId } = (await (
    await page.request.post('/api/packs/demo-pack-1/open', { data: { clientSeed: 'wide' } })
  ).json()) as Opening
  const stops = [
    [`/verify/${openId}`, page.getByRole('heading', { name: t.byHand.title })],
    ['/verify', page.getByLabel(t.check.file)],
    ['/fairness', page.getByRole('article').last()],
  ] as const
  for (const [path, ready] of stops) {
    await page.goto(path)
    await expect(ready).toBeVisible()
    await page.evaluate(() => document.querySelectorAll('details').forEach((details) => (details.open = true)))
    for (const width of [720, 768, 1280, 1920]) {
      await page.setViewportSize({ width, height: 900 })
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect.soft([path, width, overflow]).toEqual([path, width, 0])
    }
  }
})
