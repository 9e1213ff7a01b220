import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, test } from './support/server'

const pages = ['/', '/open-packs', '/pack/2', '/pack/8', '/pack/999', '/topup', '/my-collection', '/my-opens', '/no-such-page']

async function visit(page: Page, path: string, theme: string, language: string): Promise<void> {
  await page.addInitScript(
    ([themeNow, languageNow]) => {
      localStorage.setItem('theme', themeNow)
      localStorage.setItem('language', languageNow)
    },
    [theme, language] as const,
  )
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
}

// Colours differ by theme and texts by language: two rounds meet all four.
for (const [theme, language] of [
  ['dark', 'en'],
  ['light', 'zh'],
] as const) {
  test(`axe finds nothing on any page, ${theme}, ${language}`, async ({ page }) => {
    for (const path of pages) {
      await visit(page, path, theme, language)
      const { violations } = await new AxeBuilder({ page }).analyze()
      expect.soft(violations.map(({ id, nodes }) => [path, id, nodes.map((node) => node.html)])).toEqual([])
    }
  })
}

test('axe finds nothing on the pages of somebody who is signed in', async ({ page }) => {
  await visit(page, '/topup', 'light', 'en')
  await page.getByRole('button', { name: 'Connect wallet' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: /Demo wallet/ }).click()
  await page.getByRole('button', { name: '100' }).click()
  await page.getByRole('button', { name: 'Add 100 sandbox points' }).click()
  await expect(page.getByRole('rowheader', { name: 'Sandbox top-up' })).toBeVisible()
  for (const path of ['/topup', '/open-packs', '/pack/2', '/my-collection', '/my-opens']) {
    await page.goto(path)
    await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    const { violations } = await new AxeBuilder({ page }).analyze()
    expect.soft(violations.map(({ id, nodes }) => [path, id, nodes.map((node) => node.html)])).toEqual([])
  }
})

test('no page scrolls sideways from 768 pixels up', async ({ page }) => {
  for (const width of [768, 1280, 1920]) {
    await page.setViewportSize({ width, height: 900 })
    for (const path of pages) {
      await visit(page, path, 'dark', 'en')
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect.soft([path, width, overflow]).toEqual([path, width, 0])
    }
  }
})

test('below the md width there is only the banner', async ({ page }) => {
  await page.setViewportSize({ width: 767, height: 900 })
  await page.goto('/open-packs')
  await expect(page.getByText('Kaibao is desktop only for now.', { exact: false })).toBeVisible()
  await expect(page.getByRole('main')).toBeHidden()
  await expect(page.getByRole('complementary')).toBeHidden()
})

test('the first Tab leads past the sidebar', async ({ page }) => {
  await visit(page, '/open-packs', 'dark', 'en')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('tab', { name: 'Featured' })).toBeFocused()
})

test('theme and language are remembered', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Switch to light theme' }).click()
  await page.getByRole('button', { name: '切换到中文' }).click()
  await page.reload()
  await expect(page.locator('html')).toHaveClass(/light/)
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN')
  await expect(page.getByRole('link', { name: '首页', exact: true })).toHaveAttribute('aria-current', 'page')
})

test('the store keeps its tab in the hash and leads to the pack', async ({ page }) => {
  await page.goto('/open-packs#labubu')
  await expect(page.getByRole('tab', { name: 'Labubu' })).toHaveAttribute('aria-selected', 'true')
  await page.getByRole('tab', { name: 'Pokemon' }).click()
  await expect(page).toHaveURL(/\/open-packs#pokemon$/)
  await page.getByRole('link', { name: 'Pokemon', exact: true }).click()
  await expect(page).toHaveURL(/\/pack\/2$/)
  await expect(page).toHaveTitle('Pokemon · Kaibao 开包')
})

test('the showcase enlarges an item and gives the focus back', async ({ page }) => {
  await page.goto('/pack/7')
  await expect(page.getByRole('heading', { name: 'potential rare' })).toBeVisible()
  const item = page.getByRole('button', { name: /^Enlarge/ }).first()
  await item.click()
  await expect(page.getByRole('dialog')).toContainText('Labubu')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(item).toBeFocused()
})

test('an unknown pack leads back to the store', async ({ page }) => {
  await page.goto('/pack/999')
  await expect(page.getByRole('heading', { name: 'Pack Not Found' })).toBeVisible()
  await page.getByRole('link', { name: 'Back to Packs' }).click()
  await expect(page).toHaveURL(/\/open-packs$/)
})
