import type { Page } from '@playwright/test'
import { commandPalette } from '../src/app/command-palette/texts/en'
import { verify } from '../src/features/proofs/texts/en'
import * as en from '../src/i18n/texts/en'
import { visits } from '../test/visits'
import { expect, expectReady, test, withServer } from './support/server'

test.slow()

const { shell } = en

/** Holds back the app's code. Returns a function that lets it through. */
async function holdCode(page: Page): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/assets/*.js', (route) => released.then(() => route.continue()))
  return release
}

test('code is requested after the first frame', async ({ page }) => {
  await page.addInitScript(() => {
    addEventListener('DOMContentLoaded', () => requestAnimationFrame(() => performance.mark('first frame')))
  })
  await page.goto('/open-packs')
  await expectReady(page)
  const [requested, firstFrame] = await page.evaluate(() => {
    const scripts = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js'))
    return [
      Math.min(...scripts.map(({ startTime }) => startTime)),
      performance.getEntriesByName('first frame')[0]?.startTime ?? Number.POSITIVE_INFINITY,
    ]
  })
  expect(requested).toBeGreaterThan(firstFrame)
})

test('links work before the code arrives', async ({ page }) => {
  await holdCode(page)
  await page.goto('/roadmap', { waitUntil: 'domcontentloaded' })
  await page.getByRole('complementary').getByRole('link', { name: shell.nav.fairness }).click()
  await expect(page).toHaveURL(/\/fairness$/)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

test('a press before the code arrives is answered once', async ({ page }) => {
  const release = await holdCode(page)
  await page.goto('/roadmap', { waitUntil: 'domcontentloaded' })
  await page.getByRole('button', { name: shell.nav.collapse }).click()
  release()
  await expect(page.getByRole('button', { name: shell.nav.expand })).toBeVisible()
  await page.getByRole('button', { name: shell.nav.expand }).click()
  await expect(page.getByRole('button', { name: shell.nav.collapse })).toBeVisible()
})

test('a chunk that fails to load is loaded again, and a press meanwhile is answered', async ({ page }) => {
  const failed = new Set<string>()
  await page.route('**/assets/*.js', (route) => {
    if (failed.size >= 3 || failed.has(route.request().url())) return route.continue()
    failed.add(route.request().url())
    return route.abort()
  })
  await page.goto('/roadmap', { waitUntil: 'domcontentloaded' })
  await page.getByRole('button', { name: shell.nav.collapse }).click()
  await expect(page.getByRole('button', { name: shell.nav.expand })).toBeVisible()
  expect(failed.size).toBe(3)
})

test('text typed before the code arrives is kept, and Enter sends it', async ({ page }) => {
  const release = await holdCode(page)
  await page.goto('/verify', { waitUntil: 'domcontentloaded' })
  const field = page.getByLabel(verify.check.openId)
  await field.fill('no-such-pull')
  await field.press('Enter')
  release()
  await expect(page).toHaveURL(/\/verify\/no-such-pull$/)
})

test('a page scrolled before the code arrives stays scrolled', async ({ page }) => {
  const release = await holdCode(page)
  await page.goto('/roadmap', { waitUntil: 'domcontentloaded' })
  await page.mouse.wheel(0, 300)
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(300)
  release()
  await expectReady(page)
  await page.evaluate(() => new Promise((resume) => requestAnimationFrame(() => setTimeout(resume))))
  expect(await page.evaluate(() => scrollY)).toBe(300)
})

test('a shortcut before the code arrives is answered', async ({ page }) => {
  const release = await holdCode(page)
  await page.goto('/roadmap', { waitUntil: 'domcontentloaded' })
  await page.keyboard.press('ControlOrMeta+k')
  release()
  await expect(page.getByRole('combobox', { name: commandPalette.title })).toBeVisible()
})

test('a page in another language than the visitor’s is replaced', async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('language', 'zh'))
  await page.goto('/roadmap')
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN')
  await expect(page.getByRole('button', { name: shell.nav.collapse })).toHaveCount(0)
})

/** Visits every page, and returns what React reports: differences from the pre-rendered page, for which it renders again. */
async function hydrationErrors(page: Page, url: string): Promise<string[]> {
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(`${page.url()}: ${message}`))
  for (const { at } of visits) {
    await page.goto(url + at)
    await expectReady(page)
  }
  return errors
}

for (const locale of ['en-US', 'zh-CN']) {
  for (const session of [false, true]) {
    test.describe(`in ${locale}, ${session ? 'with' : 'without'} a session`, () => {
      test.use({ locale })

      test('every pre-rendered page is hydrated as it was rendered', async ({ page, context, baseURL }) => {
        if (session) await context.addCookies([{ name: 'kaibao_session', value: 'ended', url: baseURL! }])
        expect(await hydrationErrors(page, baseURL!)).toEqual([])
      })
    })
  }
}

test('pre-rendered pages are replaced where an installation differs', async ({ page }) => {
  await withServer(
    async ({ url }) => {
      expect(await hydrationErrors(page, url)).toEqual([])
    },
    {
      KAIBAO_ADDR: '127.0.0.1:0',
      KAIBAO_PAYMENTS: 'sandbox',
      KAIBAO_RATE_LIMITS: 'off',
      KAIBAO_PROFILE: 'uk-strict',
      KAIBAO_SOCIAL_URL: '',
      KAIBAO_DEMO: 'false',
    },
  )
})
