// Takes a picture of every route, signed out and signed in, in both themes and languages, into an
// ignored folder, to be looked at: `make shots`. What it takes can be narrowed, for example
// `node tools/shots.mjs --theme light --language zh --path /vault --width 1440`.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'

const { values: wanted } = parseArgs({
  options: {
    theme: { type: 'string' },
    language: { type: 'string' },
    path: { type: 'string' },
    width: { type: 'string' },
    visitor: { type: 'string' },
  },
})
const one = (value, all) => (value ? [value] : all)
const paths = one(wanted.path, [
  '/',
  '/open-packs',
  '/pack/2',
  '/pack/8',
  '/pack/999',
  '/marketplace',
  '/vault',
  '/vault?certification=PSA&grade=8&maxPrice=2000&sortBy=price-high',
  '/topup',
  '/my-collection',
  '/my-cards',
  '/my-opens',
  '/leaderboard',
  '/roadmap',
  '/fairness',
  '/verify',
  '/labubus',
  '/admin',
  '/checkout/2',
  '/checkout/999',
  '/no-such-page',
])
const sizes = { 768: 1024, 1280: 800, 1440: 900, 1920: 1080 }
const folder = 'shots'

const data = await mkdtemp(join(tmpdir(), 'kaibao-shots-'))
const server = spawn('../bin/kaibao', ['serve', '--addr', '127.0.0.1:0', '--data', data, '--rate-limits', 'off', '--social-url', 'https://social.example', '--chat-url', 'https://chat.example'], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
const [line] = await once(createInterface({ input: server.stdout }), 'line')
const baseURL = line.replace('listening on ', '')
const browser = await chromium.launch({ executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] })
await mkdir(folder, { recursive: true })
let member
try {
  member = await arrive()
  for (const theme of one(wanted.theme, ['dark', 'light'])) {
    for (const language of one(wanted.language, ['en', 'zh'])) {
      for (const visitor of one(wanted.visitor, ['out', 'in'])) await tour({ theme, language, visitor })
    }
  }
} finally {
  await browser.close()
  server.kill('SIGTERM')
  await once(server, 'exit')
  await rm(data, { recursive: true })
}

/** Somebody with points and a few pulls. Gives their cookies and stored keys. */
async function arrive() {
  const context = await browser.newContext({ baseURL, locale: 'en-US' })
  const page = await context.newPage()
  await page.goto('/')
  await page.getByRole('button', { name: 'Connect wallet' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: /Demo wallet/ }).click()
  await page.getByRole('button', { name: 'Log out' }).waitFor()
  await page.request.post('/api/wallet/deposit/manual', { data: { amount: 2000 } })
  await page.request.patch('/api/auth/user', { data: { firstName: 'Mei' } })
  for (const pack of ['2', '7', '1', '3', '8', 'demo-pack-1']) {
    await page.request.post(`/api/packs/${pack}/open`, { data: { clientSeed: `shots ${pack}` } })
  }
  const entries = await (await page.request.get('/api/inventory/me')).json()
  for (const { id } of entries.slice(3)) await page.request.post('/api/inventory/vault', { data: { inventoryId: id } })
  const state = await context.storageState()
  await context.close()
  return state
}

async function tour({ theme, language, visitor }) {
  const context = await browser.newContext({
    baseURL,
    reducedMotion: 'reduce',
    ...(visitor === 'in' && { storageState: member }),
  })
  await context.addInitScript(([shown, spoken]) => {
    localStorage.setItem('theme', shown)
    localStorage.setItem('language', spoken)
  }, [theme, language])
  const page = await context.newPage()
  // Every width in one theme and language; the others show colours and words at the usual one.
  const widths = theme === 'dark' && language === 'en' ? Object.keys(sizes) : ['1440']
  for (const width of one(wanted.width, widths)) {
    await page.setViewportSize({ width: Number(width), height: sizes[width] ?? 900 })
    for (const path of paths) {
      await page.goto(path)
      await page.waitForLoadState('networkidle')
      const name = path === '/' ? 'home' : path.slice(1).replaceAll(/[^\w-]+/g, '-')
      await page.screenshot({ path: join(folder, `${name}-${theme}-${language}-${visitor}-${width}.png`), fullPage: width === '1440' })
    }
  }
  await context.close()
}
