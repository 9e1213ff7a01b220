import type { Locator, Page } from '@playwright/test'
import { opening as openingEn } from '../src/features/opening/texts/en'
import { expect, test } from './support/server'
import { arriveWith } from './support/sign-in'
import { enter, resultsHeading, skipToResults, startButton, theatre, toast } from './support/theatre'

/** The names of the buttons within a place that a toast lies over. */
async function covered(said: Locator, within: Locator): Promise<string[]> {
  const box = (await said.boundingBox())!
  const names: string[] = []
  for (const button of await within.getByRole('button').all()) {
    const other = await button.boundingBox()
    const apart =
      !other ||
      box.x >= other.x + other.width ||
      other.x >= box.x + box.width ||
      box.y >= other.y + other.height ||
      other.y >= box.y + box.height
    if (!apart) names.push((await button.textContent()) ?? '')
  }
  return names
}

const said = (page: Page) => toast(page).getByRole('listitem', { includeHidden: true })

for (const [width, height] of [
  [1440, 720],
  [1024, 768],
] as const) {
  test(`the toast of an open covers no button of its results at ${width} × ${height}`, async ({ page }) => {
    await page.setViewportSize({ width, height })
    await arriveWith(page, 100)
    await enter(page)
    await startButton(page).click()
    await skipToResults(page)
    await expect(resultsHeading(page)).toBeVisible()
    await expect(said(page)).toContainText(openingEn.toast.opened)
    await said(page).hover() // it stays while it is read
    expect(await covered(said(page), theatre(page))).toEqual([])
  })
}
