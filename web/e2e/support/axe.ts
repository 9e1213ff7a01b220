import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expectReady } from './server'

/** Rules that depend on the theme. */
const colorRules = ['color-contrast', 'link-in-text-block']

/** Axe's violations, with all animations ended: half-faded text has half the contrast. */
async function violationsWithin(page: Page, within: string, runOnly?: string[]): Promise<string[][]> {
  // Not awaited: off screen, with content-visibility, an animation doesn't end.
  await page.evaluate(() => {
    for (const animation of document.getAnimations())
      if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish()
  })
  // Legacy mode and reporting only violations take a third of the time.
  const { violations } = await new AxeBuilder({ page })
    .include(within)
    .setLegacyMode()
    .options({ resultTypes: ['violations'], ...(runOnly && { runOnly }) })
    .analyze()
  return violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])
}

/** Axe's violations on a page in both themes. The page's own theme is restored. */
export async function accessibilityViolations(page: Page, within = 'html'): Promise<string[][]> {
  await expectReady(page)
  // Without transitions: fading every color takes time.
  const toggleTheme = () =>
    page.evaluate(() => {
      const noTransitions = new CSSStyleSheet()
      noTransitions.replaceSync('*, ::before, ::after { transition: none !important }')
      document.adoptedStyleSheets.push(noTransitions)
      document.documentElement.classList.toggle('light')
      document.documentElement.getBoundingClientRect()
      document.adoptedStyleSheets.pop()
    })
  const inOwnTheme = await violationsWithin(page, within)
  await toggleTheme()
  const inOtherTheme = await violationsWithin(page, within, colorRules)
  await toggleTheme()
  return [...inOwnTheme, ...inOtherTheme]
}

/** How many pixels a page can be scrolled sideways. */
export const sidewaysScroll = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
