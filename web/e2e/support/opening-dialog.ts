import type { Locator, Page } from '@playwright/test'
import * as t from '../../src/i18n/texts/en'
import { opening as openingTexts } from '../../src/features/opening/texts/en'
import { stepGroups } from '../../src/features/proofs/step-groups'
import { verify } from '../../src/features/proofs/texts/en'
import type { Opening, OpenResult } from '../../src/contract/types'
import { dollars } from '../../src/lib/format'
import { expect } from './server'

const openCall = '**/api/packs/*/open'

export const openingDialog = (page: Page) => page.getByRole('dialog', { name: /^Open / })
export const startButton = (page: Page) => openingDialog(page).getByRole('button', { name: /^Start for/ })
export const skipButton = (page: Page) => openingDialog(page).getByRole('button', { name: openingTexts.skip })
export const resultsHeading = (page: Page) => openingDialog(page).getByRole('heading', { name: 'pack opened!' })
export const resultAction = (page: Page, name: string) => openingDialog(page).getByRole('button', { name })
/** Found even while a dialog hides the rest of the page from assistive technology. */
export const toast = (page: Page) => page.getByRole('region', { name: t.shell.notifications, includeHidden: true })

/** The pack page's own button. */
export const openButton = (page: Page) => page.getByRole('button', { name: 'open pack', exact: true })

/** Opens the intro from the pack's page. */
export async function openIntro(page: Page, packId = '2'): Promise<void> {
  await page.goto(`/pack/${packId}`)
  await openButton(page).click()
  await expect(startButton(page)).toBeEnabled()
}

/** Skips the animations until the results are shown. */
export async function skipToResults(page: Page): Promise<void> {
  await expect(async () => {
    if (await skipButton(page).isVisible()) await skipButton(page).click({ timeout: 1000 })
    await expect(resultsHeading(page)).toBeVisible({ timeout: 250 })
  }).toPass()
}

/** Drops the responses of the next opens, which the server has processed. Returns a list that fills with them. */
export async function loseResponses(page: Page, times: number): Promise<OpenResult[]> {
  const lost: OpenResult[] = []
  await page.route(
    openCall,
    async (route) => {
      const response = await route.fetch()
      lost.push((await response.json()) as OpenResult)
      await route.abort('connectionreset')
    },
    { times },
  )
  return lost
}

/** Delays the next response of an open until the returned function is called. */
export async function holdResponse(page: Page): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(
    openCall,
    async (route) => {
      const response = await route.fetch()
      await released
      await route.fulfill({ response })
    },
    { times: 1 },
  )
  return release
}

/** Answers the next open with an error. It doesn't reach the server. */
export async function refuseNextOpen(page: Page, status: number, code: string): Promise<void> {
  const body = { message: 'No.', code, requestId: 'e2e' }
  await page.route(openCall, (route) => route.fulfill({ status, json: body }), { times: 1 })
}

/** Returns a function that counts the page's requests to open a pack. */
export function countOpenRequests(page: Page): () => number {
  let calls = 0
  page.on('request', (request) => {
    if (request.method() === 'POST' && /\/api\/packs\/[^/]+\/open$/.test(request.url())) calls += 1
  })
  return () => calls
}

/** Records all status messages of dialogs on pages opened later, even short-lived ones. */
export async function recordAnnouncements(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const announced: string[] = []
    new MutationObserver(() => {
      const text = document.querySelector('[role=dialog] [role=status]')?.textContent
      if (text && text !== announced.at(-1)) announced.push(text)
    }).observe(document, { subtree: true, childList: true, characterData: true })
    Object.assign(window, { announced })
  })
  return () => page.evaluate(() => (window as unknown as { announced: string[] }).announced)
}

/** Records animations that move, rotate or scale something on pages opened later; fades don't count. */
export async function recordMotion(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const moving: string[] = []
    const isMotion = (frame: ComputedKeyframe) =>
      ['translate', 'rotate', 'scale'].some((property) => property in frame) ||
      !new DOMMatrix(String(frame['transform'] ?? 'none')).isIdentity
    document.addEventListener('animationstart', ({ animationName }) => {
      const effects = document
        .getAnimations()
        .filter((animation) => animation instanceof CSSAnimation && animation.animationName === animationName)
        .map(({ effect }) => effect as KeyframeEffect)
      if (effects.some((effect) => effect.getKeyframes().some(isMotion))) moving.push(animationName)
    })
    Object.assign(window, { moving })
  })
  return () => page.evaluate(() => (window as unknown as { moving: string[] }).moving)
}

/** The status messages of an open's reveal and results, in order. */
export function expectedAnnouncements({ items, totalValueCents }: Opening): string[] {
  return [
    openingTexts.animation.text,
    ...items
      .toSorted((a, b) => a.baseValueCents - b.baseValueCents)
      .map(({ name, rarity, baseValueCents }, index) =>
        openingTexts.reveal.shown(index + 1, items.length, name, rarity, dollars(baseValueCents)),
      ),
    openingTexts.results.announcement(items.length, dollars(totalValueCents)),
  ]
}

/** The steps of a verification, in its dialog or on a page. */
const verifySteps = (where: Locator) =>
  where
    .getByRole('region')
    .getByRole('listitem')
    .filter({ has: where.page().locator('summary') })

/** One step of a verification, by its title. */
export const verifyStep = (where: Locator, title: string) => verifySteps(where).filter({ hasText: title })

/** Unfolds the steps of a verification without a failed one. */
export async function unfoldSteps(where: Locator): Promise<void> {
  await where.getByText(verify.verification.allSteps, { exact: true }).click()
}

/** Steps that instant opens don't have. */
const sealedSteps = new Set<string>(stepGroups.order)

/** Expects all steps of an instant open's verification, each passed. */
export async function expectAllStepsPassed(where: Locator, items: number): Promise<void> {
  await expect(where.getByText(verify.verification.verdict.ok)).toBeVisible()
  await unfoldSteps(where)
  const steps = verifySteps(where)
  const titles = Object.entries(verify.verification.steps).flatMap(([id, { title }]) => {
    if (sealedSteps.has(id)) return []
    return typeof title === 'string' ? [title] : Array.from({ length: items }, (_, index) => title(index + 1))
  })
  await expect(steps).toHaveCount(titles.length)
  for (const [index, title] of titles.entries()) {
    await expect(steps.nth(index)).toContainText(`${verify.verification.state.ok}${title}`)
  }
}
