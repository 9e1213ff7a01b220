import { AxeBuilder } from '@axe-core/playwright'
import type { FrameLocator, Page } from '@playwright/test'
import { shop, startProvider } from './support/provider'
import { expect, test, withServer } from './support/server'
import { signInWithPoints, signInOnPage } from './support/sign-in'

/** Opens the frame in a page of the shop and collects its messages. */
async function frame(page: Page, address: string): Promise<{ messages: string[]; widget: FrameLocator }> {
  const messages: string[] = []
  await page.exposeFunction('heard', (type: string) => messages.push(type))
  await page.addInitScript(() => {
    window.addEventListener('message', ({ data, source }: MessageEvent<{ type: string }>) => {
      if (source === window.frames[0]) (window as unknown as { heard(type: string): void }).heard(data.type)
    })
  })
  const body = `<!doctype html><html lang="en"><title>Shop</title><main><h1>Shop</h1><iframe title="Payment" src="${address}"></iframe></main>`
  await page.route('**/shop', (route) => route.fulfill({ contentType: 'text/html', body }))
  await page.goto('/shop')
  return { messages, widget: page.frameLocator('iframe') }
}

/** Collects console errors, such as CSP violations. */
function consoleErrors(page: Page): string[] {
  const lines: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('404')) lines.push(message.text())
  })
  return lines
}

for (const { language, theme, missing, again } of [
  { language: 'en', theme: 'dark', missing: 'We couldn’t load this payment.', again: 'Try again' },
  { language: 'zh', theme: 'light', missing: '无法加载这笔付款。', again: '重试' },
]) {
  test(`the frame shows the widget under its own CSP, in ${language} and ${theme}`, async ({ page }) => {
    const errors = consoleErrors(page)
    const { messages, widget } = await frame(page, `/payment-frame?lang=${language}&theme=${theme}#unknown`)
    await expect(widget.getByRole('status')).toHaveText(missing)
    await expect(widget.getByRole('button', { name: again })).toBeVisible()
    await expect.poll(() => messages.slice(0, 2)).toEqual(['ready', 'height'])
    const { violations } = await new AxeBuilder({ page }).analyze()
    expect(violations).toEqual([])
    expect(errors).toEqual([])
  })
}

test('the frame retries the widget’s script once, then reports that it failed to load', async ({ page }) => {
  let scriptRequests = 0
  await page.route('**/sandbox/assets/**', async (route) => {
    scriptRequests++
    await route.abort()
  })
  const { messages } = await frame(page, '/payment-frame?lang=en&theme=dark#unknown')
  await expect.poll(() => messages).toEqual(['unavailable'])
  expect(scriptRequests).toBe(2)
})

test('the frame requires a charge', async ({ page }) => {
  const { messages } = await frame(page, '/payment-frame?lang=en&theme=dark')
  await expect.poll(() => messages).toEqual(['unavailable'])
})

/** A widget that tries everything a script of the shop could do, and reports what worked. */
const hostile = (target: string) => `window.helioCheckout = async (element) => {
  const could = []
  const attempt = async (what, act) => {
    try {
      if (await act()) could.push(what)
    } catch {}
  }
  const call = (path, more) => fetch('${target}' + path, { credentials: 'include', ...more })
  await attempt('read cookies', () => document.cookie.includes('secret'))
  await attempt('read storage', () => localStorage.getItem('secret'))
  await attempt('read the session storage', () => sessionStorage.getItem('secret'))
  const framed = window.parent !== window
  await attempt('read the page around it', () => framed && window.parent.document.title)
  await attempt('read storage of the page around it', () => framed && window.parent.localStorage.getItem('secret'))
  await attempt('read the wallet', async () => (await call('/api/wallet')).ok)
  await attempt('read without asking first', async () => (await call('/api/wallet', { mode: 'no-cors' })).type !== 'opaque')
  await attempt('act', async () => (await call('/api/auth/user', {
    method: 'PATCH', headers: { 'Content-Type': 'application/json' }, body: '{"userName":"robbed"}',
  })).ok)
  await attempt('sign out', () => call('/api/auth/logout', { method: 'POST', mode: 'no-cors' }).then(() => false))
  await attempt('lead the page around it away', () => { if (framed) window.top.location.href = '${target}/market' })
  await attempt('open the shop', async () => window.open('${target}/api/wallet')?.document.body.textContent)
  element.textContent = 'It could: ' + could.join(', ')
}`

const allow = { 'Access-Control-Allow-Origin': '*' }

async function storeSecrets(page: Page): Promise<void> {
  await page.evaluate(() => {
    // oxlint-disable-next-line unicorn/no-document-cookie -- the script tries to read it
    document.cookie = 'own=secret'
    localStorage.setItem('secret', 'secret')
    sessionStorage.setItem('secret', 'secret')
  })
}

async function expectHarmless(page: Page): Promise<void> {
  await expect(page.frameLocator('iframe').getByText('It could:')).toHaveText('It could:')
  await expect(page).toHaveURL(/\/topup$/)
  const me = await page.evaluate(async () => (await fetch('/api/auth/user')).json() as Promise<{ userName: string }>)
  expect(me.userName).not.toBe('robbed')
}

async function beginTopUp(page: Page): Promise<void> {
  await page.getByRole('button', { name: '25', exact: true }).click()
  await page.getByRole('button', { name: 'Top up 25', exact: true }).click()
}

test('a hostile widget in the sandbox can’t act as the visitor', async ({ page, server }) => {
  await signInWithPoints(page, 1)
  await page.route('**/sandbox/assets/**', (route) =>
    route.fulfill({ contentType: 'text/javascript', headers: allow, body: hostile(server.url) }),
  )
  await page.goto('/topup')
  await storeSecrets(page)
  await beginTopUp(page)
  await expectHarmless(page)
  // Also not if the visitor opens the frame directly.
  await page.goto('/payment-frame?lang=en&theme=dark#token')
  await expect(page.getByText('It could:')).toHaveText('It could:')
})

test('a hostile widget on the payment origin can’t act as the visitor', async ({ browser }) => {
  const provider = await startProvider(hostile(shop))
  await withServer(async () => {
    const context = await browser.newContext({ baseURL: shop })
    await provider.route(context)
    const page = await context.newPage()
    await page.goto('/topup')
    await signInOnPage(page)
    await page.reload()
    await storeSecrets(page)
    await beginTopUp(page)
    await expectHarmless(page)
    // The shop's origin doesn't serve the frame, and the frame's origin nothing else.
    for (const address of [
      `${shop}/payment-frame`,
      'https://checkout.example/',
      'https://checkout.example/api/wallet',
    ]) {
      expect((await page.goto(address))?.status(), address).toBe(404)
    }
    await provider.closeContext(context)
  }, provider.settings)
  provider.close()
})
