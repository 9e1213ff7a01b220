// Measures the pages of docs' page targets with Lighthouse on the built program: `npm run lighthouse`. It
// fails for what is not accessible or not good practice. How fast a page is depends on the machine and the
// moment, so speed is only shown, unless `-- --speed` asks for it: then it may be measured three times, and
// the best counts.
import { launch } from 'chrome-launcher'
import lighthouse, { desktopConfig } from 'lighthouse'
import { chromiumPath, withProgram } from './program.mjs'

const paths = ['/', '/open-packs', '/pack/2', '/marketplace', '/leaderboard']
const inTime = process.argv.includes('--speed')
const least = { performance: inTime ? 95 : 0, accessibility: 100, 'best-practices': 100 }
const mostShift = inTime ? 0.02 : Infinity
const rounds = 3

const chrome = await launch({
  chromePath: chromiumPath,
  chromeFlags: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--lang=en'],
})
let failed = false
try {
  await withProgram([], async (url) => {
    for (const path of paths) {
      let best = await measure(url + path)
      for (let round = 1; round < rounds && best.scores.performance < least.performance; round++) {
        const again = await measure(url + path)
        if (again.scores.performance > best.scores.performance) best = again
      }
      report(path, best)
    }
  })
} finally {
  chrome.kill()
}
process.exitCode = failed ? 1 : 0

async function measure(url) {
  const config = structuredClone(desktopConfig)
  Object.assign(config.settings, {
    onlyCategories: Object.keys(least),
    disableFullPageScreenshot: true,
    // On localhost a second of silence is the end of loading.
    networkQuietThresholdMs: 1000,
    cpuQuietThresholdMs: 1000,
    maxWaitForLoad: 15_000,
    // Localhost as it is, on a processor four times slower.
    throttlingMethod: 'devtools',
    throttling: {
      ...config.settings.throttling,
      cpuSlowdownMultiplier: 4,
      requestLatencyMs: 0,
      downloadThroughputKbps: 0,
      uploadThroughputKbps: 0,
    },
  })
  const { lhr } = await lighthouse(url, { port: chrome.port, logLevel: 'error' }, config)
  const scores = Object.fromEntries(
    Object.entries(lhr.categories).map(([name, { score }]) => [name, Math.round(score * 100)]),
  )
  return { scores, audits: lhr.audits, categories: lhr.categories }
}

function report(path, { scores, audits, categories }) {
  const figures = ['largest-contentful-paint', 'cumulative-layout-shift', 'total-blocking-time'].map(
    (id) => audits[id].displayValue,
  )
  console.log(path.padEnd(14), Object.values(scores).join(' / '), ' LCP, CLS, TBT:', figures.join(', '))
  if (audits['cumulative-layout-shift'].numericValue > mostShift) {
    failed = true
    console.error(
      `  the layout shifts by ${audits['cumulative-layout-shift'].displayValue}, at most ${mostShift} is wanted`,
    )
  }
  for (const [name, score] of Object.entries(scores)) {
    if (score >= least[name]) continue
    failed = true
    console.error(`  ${name} is ${score}, at least ${least[name]} is wanted`)
    if (name === 'performance') continue
    for (const { id } of categories[name].auditRefs) {
      if (audits[id].score !== null && audits[id].score < 1) console.error(`  - ${audits[id].title}`)
    }
  }
}
