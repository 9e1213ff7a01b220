import type { Locator, Page } from '@playwright/test'
import * as t from '../../src/i18n/texts/en'
import { opening as openingTexts } from '../../src/features/opening/texts/en'
import { verify } from '../../src/features/proofs/texts/en'
import type { Opening, OpenResult } from '../../src/contract/types'
import { dollars } from '../../src/lib/format'
import { expect } from './server'

const openCall = '**/api/packs/*/open'

export const theatre = (page: Page) => page.getByRole('dialog', { name: /^Open / })
export const startButton = (page: Page) => theatre(page).getByRole('button', { name: /^Start for/ })
export const skipButton = (page: Page) => theatre(page).getByRole('button', { name: openingTexts.skip })
export const resultsHeading = (page: Page) => theatre(page).getByRole('heading', { name: 'pack opened!' })
export const resultAction = (page: Page, name: string) => theatre(page).getByRole('button', { name })
/** A dialog hides the rest of the page from assistive technology, but toasts are still seen. */
export const toast = (page: Page) => page.getByRole('region', { name: t.shell.notifications, includeHidden: true })

/** The pack page's own button. */
export const openButton = (page: Page) => page.getByRole('button', { name: 'open pack', exact: true })

/** From the pack's page to the intro with its seal. */
export async function enter(page: Page, packId = '2'): Promise<void> {
  await page.goto(`/pack/${packId}`)
  await openButton(page).click()
  await expect(startButton(page)).toBeEnabled()
}

/** Skips whatever can be skipped, until the results are there. */
export async function skipToResults(page: Page): Promise<void> {
  await expect(async () => {
    if (await skipButton(page).isVisible()) await skipButton(page).click({ timeout: 1000 })
    await expect(resultsHeading(page)).toBeVisible({ timeout: 250 })
  }).toPass()
}

/** Lets the server do its work but loses its answers on the way back. The list fills with what was lost. */
export async function loseAnswers(page: Page, times: number): Promise<OpenResult[]> {
  const lost: OpenResult[] = []
  await page.route(
    openCall,
    async (route) => {
      const answer = await route.fetch()
      lost.push((await answer.json()) as OpenResult)
      await route.abort('connectionreset')
    },
    { times },
  )
  return lost
}

/** Keeps the next answer on its way until it is let go. */
export async function holdAnswer(page: Page): Promise<() => void> {
  let letGo = () => {}
  const gone = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route(
    openCall,
    async (route) => {
      const response = await route.fetch()
      await gone
      await route.fulfill({ response })
    },
    { times: 1 },
  )
  return letGo
}

/** Answers the next open in the server's place with a refusal: nothing reaches the server. */
export async function refuseNext(page: Page, status: number, code: string): Promise<void> {
  const body = { message: 'No.', code, requestId: 'e2e' }
  await page.route(openCall, (route) => route.fulfill({ status, json: body }), { times: 1 })
}

/** How often a page has asked for an open. */
export function countOpenCalls(page: Page): () => number {
  let calls = 0
  page.on('request', (request) => {
    if (request.method() === 'POST' && /\/api\/packs\/[^/]+\/open$/.test(request.url())) calls += 1
  })
  return () => calls
}

/**
 * Writes down all that dialogs of pages opened from now on say to a screen reader, so that nothing is
 * missed that is on the screen for a moment only.
 */
export async function listen(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const heard: string[] = []
    new MutationObserver(() => {
      const text = document.querySelector('[role=dialog] [role=status]')?.textContent
      if (text && text !== heard.at(-1)) heard.push(text)
    }).observe(document, { subtree: true, childList: true, characterData: true })
    Object.assign(window, { heard })
  })
  return () => page.evaluate(() => (window as unknown as { heard: string[] }).heard)
}

/** Names the animations on pages opened from now on that move, turn or grow something; a fade is none. */
export async function watchMotion(page: Page): Promise<() => Promise<string[]>> {
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

/** What the reveal and the results say of an opening, in order. */
export function expectedWords({ items, totalValueCents }: Opening): string[] {
  return [
    openingTexts.animation.text,
    ...items.map(({ name, rarity, baseValueCents }, index) =>
      openingTexts.reveal.shown(index + 1, items.length, name, rarity, dollars(baseValueCents)),
    ),
    openingTexts.results.announcement(items.length, dollars(totalValueCents)),
  ]
}

/** The steps of a verification, in the dialog "verify fairness" or on a page. */
const verifySteps = (where: Locator) =>
  where
    .getByRole('region')
    .getByRole('listitem')
    .filter({ has: where.page().locator('summary') })

/** One step of a verification, by its title. */
export const verifyStep = (where: Locator, title: string) => verifySteps(where).filter({ hasText: title })

/** In the verification: every step there is, all of them ticked. */
export async function expectAllTicked(where: Locator, items: number): Promise<void> {
  await expect(where.getByText(verify.verification.verdict.ok)).toBeVisible()
  const steps = verifySteps(where)
  const titles = Object.values(verify.verification.steps).flatMap(({ title }) =>
    typeof title === 'string' ? [title] : Array.from({ length: items }, (_, index) => title(index + 1)),
  )
  await expect(steps).toHaveCount(titles.length)
  for (const [index, title] of titles.entries()) {
    await expect(steps.nth(index)).toContainText(`${verify.verification.state.ok}${title}`)
  }
}
