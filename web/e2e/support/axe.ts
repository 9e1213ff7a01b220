import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expectReady } from './server'

/** The rules that another theme may break. */
const ofColours = ['color-contrast', 'link-in-text-block']

/** What axe would mend, once nothing fades any more: half-faded texts have half the contrast. */
async function found(page: Page, within: string, runOnly?: string[]): Promise<string[][]> {
  await page.evaluate(() => {
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    return Promise.allSettled(ending.map(({ finished }) => finished))
  })
  // Asked in one go, and for what is wrong alone, it takes a third of the time.
  const { violations } = await new AxeBuilder({ page })
    .include(within)
    .setLegacyMode()
    .options({ resultTypes: ['violations'], ...(runOnly && { runOnly }) })
    .analyze()
  return violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])
}

/** What axe would mend on a page, in both themes; afterwards the page is in its own again. */
export async function faults(page: Page, within = 'html'): Promise<string[][]> {
  await expectReady(page)
  // At once: every colour on the page would fade into the other, and be drawn on its way.
  const otherTheme = () =>
    page.evaluate(() => {
      const still = new CSSStyleSheet()
      still.replaceSync('*, ::before, ::after { transition: none !important }')
      document.adoptedStyleSheets.push(still)
      document.documentElement.classList.toggle('light')
      document.documentElement.getBoundingClientRect()
      document.adoptedStyleSheets.pop()
    })
  const inItsOwn = await found(page, within)
  await otherTheme()
  const inTheOther = await found(page, within, ofColours)
  await otherTheme()
  return [...inItsOwn, ...inTheOther]
}
