// Runs the built program in a temporary folder, for tools that test it from outside.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { chromium } from '@playwright/test'

export const chromiumPath = process.env['CHROMIUM'] ?? '/usr/bin/chromium-headless-shell'

/** Runs `act` with the URL and data folder of a new server, then stops it and deletes the folder. */
export async function withProgram(flags, act) {
  const data = await mkdtemp(join(tmpdir(), 'kaibao-tool-'))
  const server = spawn(
    '../bin/kaibao',
    ['serve', '--addr', '127.0.0.1:0', '--ops-addr', '127.0.0.1:0', '--log-level', 'warn', '--data', data, ...flags],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const ended = once(server, 'exit')
  try {
    const [line] = await once(createInterface({ input: server.stdout }), 'line')
    await act(line.replace('listening on ', ''), data)
  } finally {
    server.kill('SIGTERM')
    await ended
    await rm(data, { recursive: true })
  }
}

/** Runs `act` with a browser, and closes it. */
export async function withBrowser(act) {
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    await act(browser)
  } finally {
    await browser.close()
  }
}

/** Default timeout of Playwright calls: the machine may be busy with Go tests. */
export const timeoutMs = 300_000

const quietMs = 500

/** Tracks a page's requests, from before it opens. Returns a function that waits until none is running for 500 ms. */
export function watchNetwork(page) {
  const underway = new Set()
  let changed = Date.now()
  const change = (act) => (request) => {
    // The event stream never ends.
    if (request.resourceType() === 'eventsource') return
    underway[act](request)
    changed = Date.now()
  }
  page.on('request', change('add'))
  page.on('requestfinished', change('delete'))
  page.on('requestfailed', change('delete'))
  return async () => {
    while (underway.size > 0 || Date.now() - changed < quietMs) await new Promise((next) => setTimeout(next, 50))
  }
}

/** Opens a page and waits until its requests have finished. */
export async function visit(page, address) {
  const quiet = watchNetwork(page)
  await page.goto(address)
  await quiet()
}

/** Takes a screenshot once the fonts have loaded. */
export async function screenshot(page, options) {
  await page.evaluate(() => document.fonts.ready)
  await page.screenshot(options)
}

/** Opens a page for a new user, signed in with a demo wallet and with this many points. */
export async function newUserPage(browser, baseURL, points) {
  const context = await browser.newContext({ baseURL, locale: 'en-US' })
  context.setDefaultTimeout(timeoutMs)
  const page = await context.newPage()
  await page.goto('/')
  await page.getByRole('button', { name: 'Connect wallet' }).first().click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Demo wallet/ })
    .click()
  await page.getByRole('button', { name: 'Log out' }).waitFor()
  for (let left = points; left > 0; left -= mostAtOnce) {
    await post(page, '/api/wallet/deposit/manual', { amount: Math.min(left, mostAtOnce) })
  }
  return page
}

const mostAtOnce = 10_000
const opensTogether = 16

/** Opens a pack this many times through the API. */
export async function openPacks(page, pack, times) {
  for (let at = 0; at < times; at += opensTogether) {
    const together = Array.from({ length: Math.min(opensTogether, times - at) }, (_, n) =>
      post(page, `/api/packs/${pack}/open`, { clientSeed: `${pack} ${at + n}` }),
    )
    await Promise.all(together)
  }
}

/** Sends a POST request with the visitor's cookie. */
export async function post(page, path, data) {
  const answer = await page.request.post(path, { data })
  if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`)
}
