// Runs Lighthouse on the built program: `npm run lighthouse`. Fails below 100 for accessibility or best practices.
// Speed depends on the machine and its load, so it is only measured with `-- --speed`: each page is loaded five times with
// the processor slowed four times, and the medians count.
import { launch } from 'chrome-launcher'
import lighthouse, { desktopConfig } from 'lighthouse'
import { chromiumPath, withProgram } from './program.mjs'

const paths = ['/', '/open-packs', '/pack/2', '/marketplace', '/leaderboard']
const measuresSpeed = process.argv.includes('--speed')
const rounds = measuresSpeed ? 5 : 1
const minScores = { ...(measuresSpeed && { performance: 95 }), accessibility: 100, 'best-practices': 100 }
/** In milliseconds; the layout shift is a share of the window. */
const maxValues = { 'total-blocking-time': 100, 'largest-contentful-paint': 1200, 'cumulative-layout-shift': 0.02 }
const categories = Object.keys(minScores)

const failures = []
await withProgram([], async (url) => {
  const measured = new Map(paths.map((path) => [path, []]))
  // In turn, so that other load on the machine affects all pages.
  for (let round = 0; round < rounds; round++) {
    for (const [path, results] of measured) results.push(await measure(url + path))
  }
  for (const [path, results] of measured) report(path, results)
})
for (const line of failures) console.error(line)
process.exitCode = failures.length > 0 ? 1 : 0

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

function report(path, results) {
  const score = (category) => Math.round(median(results.map((result) => result.categories[category].score)) * 100)
  const times = measuresSpeed ? [timesOf(path, results)] : []
  console.log(path.padEnd(14), categories.map((category) => `${category} ${score(category)}`).join(', '), ...times)
  for (const [category, least] of Object.entries(minScores)) {
    if (score(category) >= least) continue
    failures.push(`${path}: ${category} is ${score(category)}, want at least ${least}`)
    if (category !== 'performance') failures.push(...failuresOf(results.at(-1), category))
  }
}

/** A line with a page's times. Adds those above their limit to `failures`. */
function timesOf(path, results) {
  const figure = (audit) => median(results.map(({ audits }) => audits[audit].numericValue))
  for (const [audit, most] of Object.entries(maxValues)) {
    if (figure(audit) > most) failures.push(`${path}: ${audit} is ${figure(audit)}, want at most ${most}`)
  }
  const [blocked, paint, shift] = Object.keys(maxValues).map(figure)
  return `LCP ${(paint / 1000).toFixed(2)} s, CLS ${shift.toFixed(3)}, TBT ${Math.round(blocked)} ms`
}

function failuresOf({ categories: of, audits }, category) {
  const failed = of[category].auditRefs.map(({ id }) => audits[id]).filter(({ score }) => score !== null && score < 1)
  return failed.map(({ title }) => `  - ${title}`)
}
