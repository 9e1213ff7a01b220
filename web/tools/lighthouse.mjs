// Looks at the pages of docs' page targets with Lighthouse on the built program: `npm run lighthouse`. It fails for
// what is not accessible or not good practice. How fast a page is depends on the machine and the moment, so speed is
// only measured where `-- --speed` asks for it: then each page is loaded five times, round by round beside a page of
// React that shows one line, and the medians count.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { gzipSync } from 'node:zlib'
import { launch } from 'chrome-launcher'
import lighthouse, { desktopConfig } from 'lighthouse'
import { build } from 'vite'
import { chromiumPath, withProgram } from './program.mjs'

const paths = ['/', '/open-packs', '/pack/2', '/marketplace', '/leaderboard']
const inTime = process.argv.includes('--speed')
const rounds = inTime ? 5 : 1
const atLeast = { ...(inTime && { performance: 95 }), accessibility: 100, 'best-practices': 100 }
/** Milliseconds, and shares of the window; the paint of the neutral page is the machine's mood. */
const atMost = { 'total-blocking-time': 100, 'largest-contentful-paint': 1200, 'cumulative-layout-shift': 0.02 }
const timesNeutral = 1.3
const largest = 'largest-contentful-paint'
const categories = Object.keys(atLeast)

const missed = []
await withProgram([], async (url) => {
  const pages = new Map(paths.map((path) => [path, url + path]))
  if (inTime) await withNeutral((neutral) => race(new Map([['neutral', neutral], ...pages])))
  else for (const [name, address] of pages) report(name, [await measure(address)])
})
for (const line of missed) console.error(line)
process.exitCode = missed.length > 0 ? 1 : 0

/** Round by round, so that what else the machine does meets all of them. */
async function race(pages) {
  const measured = new Map([...pages.keys()].map((name) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const [name, address] of pages) measured.get(name).push(await measure(address))
  }
  const paint = median(measured.get('neutral').map(({ audits }) => audits[largest].numericValue))
  for (const [name, results] of measured) report(name, results, paint)
}

/** Serves the neutral page, made by the same bundler, for as long as `act` takes. */
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

/** In a browser of its own, as Lighthouse's command line does it: one that was there before keeps compiled code. */
async function measure(url) {
  const chrome = await launch({
    chromePath: chromiumPath,
    // Without languages the browser sends none, and gets a page that was drawn for another one.
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
    return await look(url, chrome.port)
  } finally {
    chrome.kill()
  }
}

async function look(url, port) {
  const config = structuredClone(desktopConfig)
  Object.assign(config.settings, {
    onlyCategories: categories,
    disableFullPageScreenshot: true,
    // On localhost a second of silence is the end of loading. Where it slows the processor Lighthouse itself insists
    // on five seconds each of a silent network and a silent processor.
    networkQuietThresholdMs: 1000,
    cpuQuietThresholdMs: 1000,
    maxWaitForLoad: 15_000,
    ...(inTime && slowed(config.settings.throttling)),
  })
  const { lhr } = await lighthouse(url, { port, logLevel: 'error' }, config)
  return lhr
}

/** Localhost as it is, on a processor four times slower. */
function slowed(throttling) {
  const network = { requestLatencyMs: 0, downloadThroughputKbps: 0, uploadThroughputKbps: 0 }
  return { throttlingMethod: 'devtools', throttling: { ...throttling, ...network, cpuSlowdownMultiplier: 4 } }
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
}

function report(name, results, neutralPaint) {
  const score = (category) => Math.round(median(results.map((result) => result.categories[category].score)) * 100)
  const times = inTime ? [timesOf(results, name, neutralPaint)] : []
  console.log(name.padEnd(14), categories.map((category) => `${category} ${score(category)}`).join(', '), ...times)
  if (name === 'neutral') return
  for (const [category, least] of Object.entries(atLeast)) {
    if (score(category) >= least) continue
    missed.push(`${name}: ${category} is ${score(category)}, at least ${least} is wanted`)
    if (category !== 'performance') missed.push(...failuresOf(results.at(-1), category))
  }
}

/** How fast a page was, in a line; what is too slow counts as missed. */
function timesOf(results, name, neutralPaint) {
  const figure = (audit) => median(results.map(({ audits }) => audits[audit].numericValue))
  const times = figure(largest) / neutralPaint
  if (name !== 'neutral') {
    for (const [audit, most] of Object.entries(atMost)) {
      if (figure(audit) > most) missed.push(`${name}: ${audit} is ${figure(audit)}, at most ${most} is wanted`)
    }
    if (times > timesNeutral) missed.push(`${name}: the largest paint takes ${times.toFixed(2)} × the neutral page's`)
  }
  const [paint, shift, blocked] = [largest, 'cumulative-layout-shift', 'total-blocking-time'].map(figure)
  return `LCP ${(paint / 1000).toFixed(2)} s (${times.toFixed(2)} × neutral), CLS ${shift.toFixed(3)}, TBT ${Math.round(blocked)} ms`
}

function failuresOf({ categories: of, audits }, category) {
  const failed = of[category].auditRefs.map(({ id }) => audits[id]).filter(({ score }) => score !== null && score < 1)
  return failed.map(({ title }) => `  - ${title}`)
}
