import { AxeBuilder } from '@axe-core/playwright'
import type { FrameLocator, Page } from '@playwright/test'
import { expect, test } from './support/server'

/** Opens the frame in a page of the shop's, which hears what it tells. */
async function frame(page: Page, address: string): Promise<{ told: string[]; widget: FrameLocator }> {
  const told: string[] = []
  await page.exposeFunction('heard', (type: string) => told.push(type))
  await page.addInitScript(() => {
    window.addEventListener('message', ({ data, source }: MessageEvent<{ type: string }>) => {
      if (source === window.frames[0]) (window as unknown as { heard(type: string): void }).heard(data.type)
    })
  })
  const body = `<!doctype html><html lang="en"><title>Shop</title><main><h1>Shop</h1><iframe title="Payment" src="${address}"></iframe></main>`
  await page.route('**/shop', (route) => route.fulfill({ contentType: 'text/html', body }))
  await page.goto('/shop')
  return { told, widget: page.frameLocator('iframe') }
}

/** What the browser complains of: above all, whatever the frame's content policy refuses. */
function complaints(page: Page): string[] {
  const lines: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('404')) lines.push(message.text())
  })
  return lines
}

for (const { language, theme, missing, again } of [
  { language: 'en', theme: 'dark', missing: 'This charge cannot be loaded.', again: 'Try again' },
  { language: 'zh', theme: 'light', missing: '无法加载该笔支付。', again: '重试' },
]) {
  test(`the frame shows the widget within its own policy, in ${language} and ${theme}`, async ({ page }) => {
    const wrong = complaints(page)
    const { told, widget } = await frame(page, `/payment-frame?lang=${language}&theme=${theme}#unknown`)
    await expect(widget.getByRole('status')).toHaveText(missing)
    await expect(widget.getByRole('button', { name: again })).toBeVisible()
    await expect.poll(() => told.slice(0, 2)).toEqual(['ready', 'height'])
    const { violations } = await new AxeBuilder({ page }).analyze()
    expect(violations).toEqual([])
    expect(wrong).toEqual([])
  })
}

test('the frame tries once more for the script of the widget, and then says that there is none', async ({ page }) => {
  let asked = 0
  await page.route('**/sandbox/assets/**', async (route) => {
    asked++
    await route.abort()
  })
  const { told } = await frame(page, '/payment-frame?lang=en&theme=dark#unknown')
  await expect.poll(() => told).toEqual(['unavailable'])
  expect(asked).toBe(2)
})

test('the frame needs a charge', async ({ page }) => {
  const { told } = await frame(page, '/payment-frame?lang=en&theme=dark')
  await expect.poll(() => told).toEqual(['unavailable'])
})
