// Runs Lighthouse on the built program: `npm run lighthouse`. Fails below 100 for accessibility or best practices.
// Speed depends on the machine and its load, so it is only measured with `-- --speed`: each page is loaded five times,
// in turn with a minimal React page for comparison, and the medians count.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { gzipSync } from 'node:zlib'
import { launch } from 'chrome-launcher'
import lighthouse, { desktopConfig } from 'lighthouse'
import { build } from 'vite'
import { chromiumPath, withProgram } from './program.mjs'

const paths = ['/', '/open-packs', '/pack/2', '/marketplace', '/leaderboard']
const measuresSpeed = process.argv.includes('--speed')
const rounds = measuresSpeed ? 5 : 1
const minScores = { ...(measuresSpeed && { performance: 95 }), accessibility: 100, 'best-practices': 100 }
/** In milliseconds; the layout shift is a share of the window. */
const maxValues = { 'total-blocking-time': 100, 'largest-contentful-paint': 1200, 'cumulative-layout-shift': 0.02 }
/** Longest paint of a page, relative to the minimal page's: that depends on the machine. */
const maxRelativePaint = 1.3
const largest = 'largest-contentful-paint'
const categories = Object.keys(minScores)

const failures = []
await withProgram([], async (url) => {
  const pages = new Map(paths.map((path) => [path, url + path]))
  if (measuresSpeed) await withNeutral((neutral) => measureInTurn(new Map([['neutral', neutral], ...pages])))
  else for (const [name, address] of pages) report(name, [await measure(address)])
})
for (const line of failures) console.error(line)
process.exitCode = failures.length > 0 ? 1 : 0

/** Loads all pages in turn, so that other load on the machine affects all of them. */
async function measureInTurn(pages) {
  const measured = new Map([...pages.keys()].map((name) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const [name, address] of pages) measured.get(name).push(await measure(address))
  }
  const paint = median(measured.get('neutral').map(({ audits }) => audits[largest].numericValue))
  for (const [name, results] of measured) report(name, results, paint)
}

/** Serves the minimal page, built by the same bundler, while `act` runs. */
async function withNeutral(act) {
  const { output } = await build({
    root: new URL('neutral', import.meta.url).pathname,
    configFile: false,
    logLevel: 'error',
    build: { write: false },
  })
  const files = new Map(output.map((file) => [`/${file.fileName}`, gzipSync(file.code ?? file.source)]))
  const server = createServer(({ url }, answer) => {
    const name = url === '/' ? '/index.html' : url
    const type = name.endsWith('.js') ? 'text/javascript' : 'text/html'
    answer.writeHead(files.has(name) ? 200 : 404, { 'content-type': type, 'content-encoding': 'gzip' })
    answer.end(files.get(name))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    await act(`http://127.0.0.1:${server.address().port}/`)
  } finally {
    server.close()
  }
}

/** Uses a new browser, like Lighthouse's command line: a used one has cached compiled code. */
async function measure(url) {
  const chrome = await launch({
    chromePath: chromiumPath,
    // Otherwise the browser sends no language and gets a page pre-rendered in the wrong one.
    chromeFlags: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--accept-lang=en',
    ],
  })
  try {
    return await runLighthouse(url, chrome.port)
  } finally {
    chrome.kill()
  }
}

async function runLighthouse(url, port) {
  const config = structuredClone(desktopConfig)
  Object.assign(config.settings, {
    onlyCategories: categories,
    disableFullPageScreenshot: true,
    // On localhost, a page without activity for a second has loaded. By default Lighthouse waits for five seconds
    // without network activity and five without processor activity when it slows the processor.
    networkQuietThresholdMs: 1000,
    cpuQuietThresholdMs: 1000,
    maxWaitForLoad: 15_000,
    ...(measuresSpeed && throttlingSettings(config.settings.throttling)),
  })
  const { lhr } = await lighthouse(url, { port, logLevel: 'error' }, config)
  return lhr
}

/** Slows the processor four times, but not the network. */
function throttlingSettings(throttling) {
  const network = { requestLatencyMs: 0, downloadThroughputKbps: 0, uploadThroughputKbps: 0 }
  return { throttlingMethod: 'devtools', throttling: { ...throttling, ...network, cpuSlowdownMultiplier: 4 } }
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
}

function report(name, results, neutralPaint) {
  const score = (category) => Math.round(median(results.map((result) => result.categories[category].score)) * 100)
  const times = measuresSpeed ? [timesOf(results, name, neutralPaint)] : []
  console.log(name.padEnd(14), categories.map((category) => `${category} ${score(category)}`).join(', '), ...times)
  if (name === 'neutral') return
  for (const [category, least] of Object.entries(minScores)) {
    if (score(category) >= least) continue
    failures.push(`${name}: ${category} is ${score(category)}, want at least ${least}`)
    if (category !== 'performance') failures.push(...failuresOf(results.at(-1), category))
  }
}

/** A line with a page's times. Adds those above their limit to `failures`. */
function timesOf(results, name, neutralPaint) {
  const figure = (audit) => median(results.map(({ audits }) => audits[audit].numericValue))
  const times = figure(largest) / neutralPaint
  if (name !== 'neutral') {
    for (const [audit, most] of Object.entries(maxValues)) {
      if (figure(audit) > most) failures.push(`${name}: ${audit} is ${figure(audit)}, want at most ${most}`)
    }
    if (times > maxRelativePaint)
      failures.push(`${name}: the largest paint takes ${times.toFixed(2)} × the neutral page's`)
  }
  const [paint, shift, blocked] = [largest, 'cumulative-layout-shift', 'total-blocking-time'].map(figure)
  return `LCP ${(paint / 1000).toFixed(2)} s (${times.toFixed(2)} × neutral), CLS ${shift.toFixed(3)}, TBT ${Math.round(blocked)} ms`
}

function failuresOf({ categories: of, audits }, category) {
  const failed = of[category].auditRefs.map(({ id }) => audits[id]).filter(({ score }) => score !== null && score < 1)
  return failed.map(({ title }) => `  - ${title}`)
}
