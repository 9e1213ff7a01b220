// Measures what Lighthouse doesn't: interaction latency, the frames of an opening, and scrolling a grid of ten thousand
// cards. `npm run speed` prints the tables and writes bench/RESULTS-page.md. `-- --smoke` only checks in a few seconds
// that everything runs: one round, in parallel and with few cards, and writes nothing. Both fail if a long grid has too
// many DOM nodes.
import { writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { chromium } from '@playwright/test'
import { chromiumPath, newUserPage, openPacks, timeoutMs, visit, watchNetwork, withProgram } from './program.mjs'

const smoke = process.argv.includes('--smoke')
const rounds = smoke ? 1 : 3
const slowdown = smoke ? 1 : 4
const gridPacks = smoke ? 100 : 2000 // five cards each
const gridPixels = smoke ? 3000 : 30_000
const maxNodes = 1500
const viewport = { width: 1440, height: 900 }
const frameColumns = ['frames', 'p50', 'p99', 'longest', 'over 20 ms', 'main thread a frame']

const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox', '--disable-gpu'] })
const report = []
const say = (line = '') => {
  console.log(line)
  report.push(line)
}
const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1]
const ms = (value) => `${value.toFixed(value < 10 ? 1 : 0)} ms`
const table = (head, rows) => {
  say(`| ${head.join(' | ')} |`)
  say(`|${head.map(() => '---').join('|')}|`)
  for (const row of rows) say(`| ${row.join(' | ')} |`)
  say()
}

try {
  await withProgram(['--rate-limits', 'off'], async (baseURL) => {
    const page = await newUserPage(browser, baseURL, 25 * gridPacks + 1000)
    await openPacks(page, 'demo-pack-1', gridPacks)
    const state = await page.context().storageState()
    await page.context().close()
    const open = async () => {
      const context = await browser.newContext({ baseURL, locale: 'en-US', viewport, storageState: state })
      context.setDefaultTimeout(timeoutMs)
      return context.newPage()
    }

    say('# How the page answers')
    say()
    say(
      `Chromium ${browser.version()} without a graphics card, which draws every pixel on the processor; ${cpus().length} cores shared with the server; median of ${rounds} rounds. Made by \`npm --prefix web run speed\`.`,
    )
    say()
    const parts = [interactions, openings, grid]
    if (smoke) await Promise.all(parts.map((part) => part(open)))
    else for (const part of parts) await part(open)
  })
} finally {
  await browser.close()
}
if (!smoke) await writeFile('../bench/RESULTS-page.md', report.join('\n'))

/** The longest time from an input to the next frame, with the processor slowed four times. */
async function interactions(open) {
  const named = (role, name) => (page) => page.getByRole(role, { name: new RegExp(`^${name}`, 'i') }).first()
  const button = (name) => named('button', name)
  const dialog = (page) => page.getByRole('dialog')
  const chosen = (name) => (page) => page.getByRole('tab', { name, selected: true })
  // Clicks and waits for the result, so that the next click isn't blocked by an overlay.
  const press = (what, then) => async (page) => {
    await what(page).click()
    await then(page).waitFor()
  }
  const tab = (name) => press(named('tab', `${name}$`), chosen(name))
  const close = async (page) => {
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
  }
  const acts = {
    '/': {
      'other picture': press(button('Show picture 2'), button('Show picture 2')),
      theme: press(button('Switch to light theme'), button('Switch to dark theme')),
      'fold the sidebar': press(button('Collapse sidebar'), button('Expand sidebar')),
      jump: async (page) => {
        await page.keyboard.press('Control+k')
        await dialog(page).waitFor()
      },
    },
    '/open-packs': {
      'a shelf': tab('Labubu'),
      'all shelves': tab('Featured'),
      'open pack': press(button('Open Pack'), dialog),
      close,
    },
    '/pack/2': { 'demo rip': press(button('Demo rip'), dialog), close, enlarge: press(button('Enlarge'), dialog) },
    '/marketplace': { 'manage listings': press(button('Manage my listings'), dialog), close },
    '/vault': {
      advanced: press(button('Advanced'), (page) => page.locator('main input[inputmode=decimal]').first()),
      'a letter of a search': (page) => page.getByRole('searchbox').press('p'),
    },
    '/leaderboard': { weekly: tab('This week'), 'top pull': tab('Top pull') },
    '/my-collection': { rare: tab('Rare'), all: tab('All') },
  }
  const found = new Map()
  const round = async (path, steps) => {
    const page = await open()
    await page.addInitScript(watchEvents)
    await visit(page, path)
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    for (const [name, act] of Object.entries(steps)) {
      await page.evaluate(() => {
        window.longestEvent = 0
      })
      await act(page)
      await page.evaluate(settled)
      const key = `${path} | ${name}`
      found.set(key, [...(found.get(key) ?? []), await page.evaluate(() => window.longestEvent)])
    }
    await page.context().close()
  }
  const pages = Object.entries(acts)
  for (let n = 0; n < rounds; n++) {
    for (const [path, steps] of pages) await round(path, steps)
  }
  const rows = pages.flatMap(([path, steps]) =>
    Object.keys(steps).map((name) => {
      const times = found.get(`${path} | ${name}`)
      return [path, name, ms(median(times)), ms(Math.max(...times))]
    }),
  )
  say(`## From a press to the next frame, processor slowed ${slowdown} times (target 100 ms)`)
  say()
  table(['page', 'press', 'median', 'worst'], rows)
}

/** Frames of an opening from Start to the results, without skipping or throttling. */
async function openings(open) {
  const rows = []
  for (const [what, run] of Object.entries({
    'a pack of five, for points': async (page) => {
      await page.goto('/pack/demo-pack-1')
      await page.getByRole('button', { name: 'open pack', exact: true }).click()
      const start = page.getByRole('dialog').getByRole('button', { name: /^Start for/ })
      await recordFrames(
        page,
        () => start.click(),
        () => page.getByRole('heading', { name: 'pack opened!' }).waitFor(),
      )
    },
    'a demo': async (page) => {
      await page.goto('/pack/2')
      await page.getByRole('button', { name: /^demo rip$/i }).click()
      const start = page.getByRole('dialog').getByRole('button', { name: /^demo rip$/i })
      await recordFrames(
        page,
        () => start.click(),
        () => page.getByRole('button', { name: /^back to packs$/i }).waitFor(),
      )
    },
  })) {
    const found = []
    for (let round = 0; round < rounds; round++) {
      const page = await open()
      await page.addInitScript(watchFrames)
      await run(page)
      found.push(await frames(page))
      await page.context().close()
    }
    rows.push([what, ...summary(found)])
  }
  say('## Frames of an opening (target: none over 20 ms)')
  say()
  table(['', ...frameColumns], rows)
}

/** Frames and DOM nodes while a long collection scrolls at a steady speed. */
async function grid(open) {
  const found = []
  let maxNodesSeen = 0
  for (let round = 0; round < rounds; round++) {
    const page = await open()
    await page.addInitScript(watchFrames)
    const quiet = watchNetwork(page)
    await page.goto('/my-collection')
    await page.getByRole('main').getByRole('listitem').first().waitFor()
    await quiet()
    const session = await page.context().newCDPSession(page)
    const scroll = () =>
      session.send('Input.synthesizeScrollGesture', {
        x: 800,
        y: 600,
        yDistance: -gridPixels,
        speed: 3000,
        gestureSourceType: 'mouse',
        preventFling: true,
      })
    await recordFrames(page, scroll, quiet)
    found.push(await frames(page))
    maxNodesSeen = Math.max(maxNodesSeen, await page.evaluate(() => window.maxNodes))
    await page.context().close()
  }
  say(
    `## A collection of ${(5 * gridPacks).toLocaleString('en')} cards, scrolled 3,000 pixels a second (targets: 60 frames a second, ${maxNodes.toLocaleString('en')} nodes)`,
  )
  say()
  table(['', ...frameColumns, 'nodes at most'], [['scrolling', ...summary(found), maxNodesSeen]])
  if (maxNodesSeen > maxNodes) throw new Error(`${maxNodesSeen} DOM nodes, want at most ${maxNodes}`)
}

function summary(found) {
  const of = (pick) => median(found.map(pick))
  return [
    of(({ count }) => count),
    ms(of(({ p50 }) => p50)),
    ms(of(({ p99 }) => p99)),
    ms(of(({ longest }) => longest)),
    of(({ slow }) => slow),
    ms(of(({ busy }) => busy)),
  ]
}

/** Records frame times and main-thread work from the start of `act` until `end` resolves. */
async function recordFrames(page, act, end) {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const busy = async () =>
    (await session.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration').value * 1000
  const before = await busy()
  await page.evaluate(() => {
    window.frameTimes = []
    window.counting = true
  })
  await act()
  await end()
  await page.evaluate(() => {
    window.counting = false
  })
  const spent = (await busy()) - before
  await page.evaluate((value) => {
    window.busyTime = value
  }, spent)
}

async function frames(page) {
  return page.evaluate(() => {
    const times = window.frameTimes.toSorted((a, b) => a - b)
    return {
      count: times.length,
      p50: times[times.length >> 1],
      p99: times[Math.floor(times.length * 0.99)],
      longest: times.at(-1),
      slow: times.filter((time) => time > 20).length,
      busy: window.busyTime / times.length,
    }
  })
}

// These run in the page.

function watchEvents() {
  window.longestEvent = 0
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries()) {
      if (interactionId) window.longestEvent = Math.max(window.longestEvent, duration)
    }
  }).observe({ type: 'event', durationThreshold: 16 })
}

/** Waits two frames and an idle period, until the performance observers have run. */
function settled() {
  return new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => requestIdleCallback(() => setTimeout(resolve, 100))))
  })
}

function watchFrames() {
  window.frameTimes = []
  window.maxNodes = 0
  let last = 0
  const onFrame = (now) => {
    if (window.counting && last) window.frameTimes.push(now - last)
    last = now
    window.maxNodes = Math.max(window.maxNodes, document.getElementsByTagName('*').length)
    requestAnimationFrame(onFrame)
  }
  requestAnimationFrame(onFrame)
}
