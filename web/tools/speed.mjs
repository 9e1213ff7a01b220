// Measures what Lighthouse does not: how soon the pages answer a hand, the frames of an opening, and a grid of
// ten thousand cards. `npm run speed` prints the tables and writes bench/RESULTS-page.md. `-- --smoke` shows in a
// few seconds that all of it runs: once, its parts side by side and with few cards; what is timed so means nothing, and
// is not written. Both fail where a long grid keeps too much on the page.
import { writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { chromium } from '@playwright/test'
import { arrive, chromiumPath, longestWaitMs, openPacks, visit, watchNetwork, withProgram } from './program.mjs'

const smoke = process.argv.includes('--smoke')
const rounds = smoke ? 1 : 3
const slowdown = smoke ? 1 : 4
const packsOfGrid = smoke ? 100 : 2000 // five cards each
const pixelsOfGrid = smoke ? 3000 : 30_000
const mostNodes = 1500
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
    const page = await arrive(browser, baseURL, 25 * packsOfGrid + 1000)
    await openPacks(page, 'demo-pack-1', packsOfGrid)
    const state = await page.context().storageState()
    await page.context().close()
    const open = async () => {
      const context = await browser.newContext({ baseURL, locale: 'en-US', viewport, storageState: state })
      context.setDefaultTimeout(longestWaitMs)
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

/** The longest time from a press to the next frame, on a processor four times slower. */
async function interactions(open) {
  const named = (role, name) => (page) => page.getByRole(role, { name: new RegExp(`^${name}`, 'i') }).first()
  const button = (name) => named('button', name)
  const dialog = (page) => page.getByRole('dialog')
  const chosen = (name) => (page) => page.getByRole('tab', { name, selected: true })
  // Each press, and what is there once it is answered: the next one meets the page, not what still lies over it.
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

/** Frames of the opening, from Start to the results, nothing skipped and nothing slowed. */
async function openings(open) {
  const rows = []
  for (const [what, run] of Object.entries({
    'a pack of five, for points': async (page) => {
      await page.goto('/pack/demo-pack-1')
      await page.getByRole('button', { name: 'open pack', exact: true }).click()
      const start = page.getByRole('dialog').getByRole('button', { name: /^Start for/ })
      await watched(
        page,
        () => start.click(),
        () => page.getByRole('heading', { name: 'pack opened!' }).waitFor(),
      )
    },
    'a demo': async (page) => {
      await page.goto('/pack/2')
      await page.getByRole('button', { name: /^demo rip$/i }).click()
      const start = page.getByRole('dialog').getByRole('button', { name: /^demo rip$/i })
      await watched(
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

/** A real scroll by hand, at a steady speed, and how much of the list is on the page meanwhile. */
async function grid(open) {
  const found = []
  let most = 0
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
        yDistance: -pixelsOfGrid,
        speed: 3000,
        gestureSourceType: 'mouse',
        preventFling: true,
      })
    await watched(page, scroll, quiet)
    found.push(await frames(page))
    most = Math.max(most, await page.evaluate(() => window.mostNodes))
    await page.context().close()
  }
  say(
    `## A collection of ${(5 * packsOfGrid).toLocaleString('en')} cards, scrolled 3,000 pixels a second (targets: 60 frames a second, ${mostNodes.toLocaleString('en')} nodes)`,
  )
  say()
  table(['', ...frameColumns, 'nodes at most'], [['scrolling', ...summary(found), most]])
  if (most > mostNodes) throw new Error(`${most} nodes are on the page, at most ${mostNodes} are wanted`)
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

/** Runs an act with the frames counted from its begin to its end, and the main thread's work beside them. */
async function watched(page, act, end) {
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

/** Two frames and an idle moment later the observers have been told. */
function settled() {
  return new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => requestIdleCallback(() => setTimeout(resolve, 100))))
  })
}

function watchFrames() {
  window.frameTimes = []
  window.mostNodes = 0
  let last = 0
  const look = (now) => {
    if (window.counting && last) window.frameTimes.push(now - last)
    last = now
    window.mostNodes = Math.max(window.mostNodes, document.getElementsByTagName('*').length)
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}
