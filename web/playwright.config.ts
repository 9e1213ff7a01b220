import { defineConfig } from '@playwright/test'

const ci = process.env['CI'] !== undefined

/** Journeys with the real program (e2e/support/server.ts) in Debian's Chromium. */
export default defineConfig({
  testDir: 'e2e',
  fullyParallel: true,
  workers: 2,
  forbidOnly: ci,

  // Files whose journeys take longer beside the Go tests on a slow machine call test.slow(), which triples it.
  timeout: 60_000,
  expect: { timeout: 30_000 },
  reporter: ci ? [['list'], ['html', { open: 'never' }]] : 'list',
  use: {
    browserName: 'chromium',
    viewport: { width: 1440, height: 720 },
    locale: 'en-US',
    // Traces take a fifth of the time. Failures include the page's content; for more, run `npm run e2e -- --trace on`.
    trace: 'off',
    // Without a GPU, endless animations take a fifth of the processor. Journeys about motion turn them on.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium-headless-shell',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
})
