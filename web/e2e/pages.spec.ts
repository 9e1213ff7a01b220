import { commandPalette } from '../src/app/command-palette/texts/en'
import { home } from '../src/features/store/texts/en'
import { home as homeZh } from '../src/features/store/texts/zh'
import { visits } from '../test/visits'
import * as t from '../src/i18n/texts/en'
import { collection } from '../src/features/inventory/texts/en'
import * as zh from '../src/i18n/texts/zh'
import { expect, expectReady, test } from './support/server'
import { signInWithPoints } from './support/sign-in'

for (const [locale, texts, storeTexts, title, text] of [
  ['en-US', t, home, '404 Page Not Found', 'Did you forget to add the page to the router?'],
  ['zh-CN', zh, homeZh, '404 页面不存在', '你访问的页面不存在，或已被移走。'],
] as const) {
  test.describe(`in ${locale}`, () => {
    test.use({ locale })

    test('an unknown address shows an error', async ({ page }) => {
      const answer = await page.goto('/no-such-page')
      expect(answer?.status()).toBe(404)
      await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
      await expect(page.getByText(text)).toBeVisible()
      await page.getByRole('link', { name: texts.shell.notFound.home, exact: true }).click()
      await expect(page).toHaveURL(/\/app$/)
      await expect(page.getByRole('heading', { level: 1, name: storeTexts.heading })).toBeVisible()
    })
  })
}

test('server and app have the same pages', async ({ request }) => {
  const status = async (address: string) => (await request.get(address)).status()
  for (const visit of visits) expect.soft(await status(visit.at), visit.at).toBe(visit.status ?? 200)
})

test('the app can be installed, and its icons are there', async ({ page, request }) => {
  await page.goto('/')
  const address = (await page.locator('link[rel=manifest]').getAttribute('href')) ?? ''
  const manifest = (await (await request.get(address)).json()) as {
    name: string
    start_url: string
    icons: { src: string; type: string; sizes: string; purpose?: string }[]
  }
  expect(manifest).toMatchObject({ name: 'Kaibao 开包', start_url: '/app', display: 'standalone' })
  expect(manifest.icons.map(({ sizes }) => sizes)).toEqual(expect.arrayContaining(['192x192', '512x512']))
  const touch = (await page.locator('link[rel=apple-touch-icon]').getAttribute('href')) ?? ''
  const icons = [
    ...manifest.icons,
    { src: touch, type: 'image/png', sizes: '180x180' },
    { src: '/favicon.ico', type: 'image/x-icon', sizes: '48x48' },
  ]
  for (const { src, type, sizes } of icons) {
    const answer = await request.get(src)
    expect(answer.headers()['content-type'], src).toBe(type)
    const size = await page.evaluate(async (source) => {
      const image = new Image()
      image.src = source
      await image.decode()
      return `${image.naturalWidth}x${image.naturalHeight}`
    }, src)
    if (sizes !== 'any') expect(size, src).toBe(sizes)
  }
  expect(await (await request.get('/robots.txt')).text()).toContain('User-agent: *')
  expect((await request.get('/.well-known/security.txt')).status()).toBe(404)
})

test('/ and /app are the same page', async ({ page }) => {
  for (const path of ['/', '/app']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1, name: home.heading })).toBeVisible()
    await expect(page.getByRole('link', { name: t.shell.nav.home, exact: true })).toHaveAttribute(
      'aria-current',
      'page',
    )
  }
})

test('theme and language are remembered', async ({ page }) => {
  await page.goto('/open-packs')
  await expect(page.locator('html')).not.toHaveClass(/light/)
  const ink = () => page.evaluate(() => getComputedStyle(document.body).color)
  const dark = await ink()
  await page.getByRole('button', { name: t.shell.settings.toLight }).click()
  await page.getByRole('button', { name: t.shell.settings.toOther }).click()
  for (const reload of [false, true]) {
    if (reload) {
      const sent = await (await page.reload())?.text()
      expect(sent).toMatch(/<html class="[^"]*light" lang="zh-CN">/)
    }
    await expect(page.getByRole('heading', { level: 1, name: zh.catalogue.store.title })).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN')
    await expect(page.locator('html')).toHaveClass(/light/)
    expect(await ink()).not.toBe(dark)
  }
  // Cookies may expire first, and are restored from storage.
  await page.context().clearCookies()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: zh.catalogue.store.title })).toBeVisible()
  await expect(page.locator('html')).toHaveClass(/light/)
  await expect(async () => {
    const kept = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`)
    expect(kept).toEqual(expect.arrayContaining(['theme=light', 'language=zh']))
  }).toPass()
  await page.getByRole('button', { name: zh.shell.settings.toDark }).click()
  await page.getByRole('button', { name: zh.shell.settings.toOther }).click()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: t.catalogue.store.title })).toBeVisible()
  expect(await ink()).toBe(dark)
})

// src/i18n/language.test.ts tests other languages; other journeys use en-US and zh-CN.
test.describe('a first visit with a browser in fr-FR', () => {
  test.use({ locale: 'fr-FR' })

  test('is in zh-CN', async ({ page }) => {
    await page.goto('/open-packs')
    await expect(page.getByRole('heading', { level: 1, name: zh.catalogue.store.title })).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN')
  })
})

test('the collapsed sidebar keeps balance and links within reach', async ({ page }) => {
  await signInWithPoints(page, 31)
  await page.goto('/open-packs')
  const sidebar = page.getByRole('complementary')
  const width = async () => (await sidebar.boundingBox())?.width ?? 0
  const group = sidebar.getByRole('heading', { name: t.shell.nav.groupMain })
  await expect(group).toBeVisible()
  const wide = await width()
  await page.getByRole('button', { name: t.shell.nav.collapse }).click()
  await expect(group).toBeHidden()
  await expect.poll(width).toBeLessThan(wide / 2)
  await expect(sidebar).toContainText('31.00')
  await sidebar.getByRole('link', { name: t.shell.nav.myOpens }).click()
  await expect(page).toHaveURL(/\/my-opens$/)
  await page.getByRole('button', { name: t.shell.nav.expand }).click()
  await expect(group).toBeVisible()
})

const desktopPages = ['/', '/open-packs', '/pack/2']

for (const [what, options] of [
  ['a narrow window', {}],
  ['a small device', { screen: { width: 412, height: 915 }, isMobile: true, hasTouch: true }],
] as const) {
  test.describe(`on ${what}`, () => {
    test.use({ viewport: { width: 767, height: 915 }, ...options })

    test('below the md width, store, pack and landing page show a banner instead', async ({ page }) => {
      for (const path of desktopPages) {
        await page.goto(path)
        await expect(page.getByText(t.shell.desktopOnly)).toBeVisible()
        await expect(page.locator('h1')).toBeAttached()
        await expect(page.locator('h1')).toBeHidden()
      }
      await page.goto('/topup')
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    })
  })
}

test('from the md width up, there is no banner', async ({ page }) => {
  await page.setViewportSize({ width: 768, height: 900 })
  for (const path of desktopPages) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByText(t.shell.desktopOnly)).toBeHidden()
  }
})

test('the first Tab reaches a link that skips the sidebar', async ({ page }) => {
  await page.goto('/open-packs')
  await expectReady(page)
  await expect(page.getByRole('tab', { selected: true })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: t.shell.skipToContent })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('tab', { selected: true })).toBeFocused()
})

test('the command palette is centered and fits a narrow window', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.setViewportSize({ width: 768, height: 600 })
  await page.goto('/roadmap')
  await page.keyboard.press('ControlOrMeta+k')
  const dialog = page.getByRole('dialog', { name: commandPalette.title })
  await expect(dialog.getByRole('option').first()).toBeVisible()
  await expect(async () => {
    const { x, y, width, height } = (await dialog.boundingBox())!
    expect(Math.abs(x + width / 2 - 384)).toBeLessThan(1)
    expect(Math.min(x, y)).toBeGreaterThan(0)
    expect(y + height).toBeLessThan(600)
  }).toPass()
})

test('the sidebar reaches every page in a low window', async ({ page }) => {
  await page.setViewportSize({ width: 1024, height: 300 })
  await page.goto('/roadmap')
  const nav = page.getByRole('navigation', { name: t.shell.nav.label })
  const inSight = () =>
    nav.getByRole('link').evaluateAll((links) => {
      const isInSight = (link: Element) => {
        const { x, y, width, height } = link.getBoundingClientRect()
        return link.contains(document.elementFromPoint(x + width / 2, y + height / 2))
      }
      return links.filter(isInSight).length
    })
  await expect.poll(inSight).toBeGreaterThan(2)
  await nav.getByRole('link', { name: t.shell.nav.limits }).click()
  await expect(page).toHaveURL('/limits')
  const logo = page.getByRole('link', { name: t.shell.nav.logo })
  await logo.scrollIntoViewIfNeeded()
  await expect(logo).toBeInViewport({ ratio: 1 })
  const foot = page.getByRole('button', { name: t.shell.settings.toOther })
  await foot.scrollIntoViewIfNeeded()
  await expect(foot).toBeInViewport({ ratio: 1 })
})

test('nothing moves below the overlay of a page that needs a wallet', async ({ page }) => {
  for (const path of ['/marketplace', '/vault', '/my-opens', '/my-cards']) {
    await page.goto(path)
    await expect(page.getByRole('main').getByRole('button', { name: collection.connectWallet }).last()).toBeVisible()
    const endless = () =>
      page.evaluate(
        () => document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime === Infinity).length,
      )
    await expect.poll(endless).toBe(0)
  }
})
