import { defineConfig } from '@playwright/test'
import { findChromium } from '@tidings/launcher/chromium'
import { siteUnderTest } from './e2e/site-under-test.config.ts'

const chromium = await findChromium()

// They move the clock that all journeys share.
const lastJourneys = '**/a-month-later.spec.ts'

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  globalSetup: './e2e/global-setup.config.ts',
  reporter: [['list'], ['json', { outputFile: '../../.reports/e2e.json' }]],
  workers: 1,
  fullyParallel: false,
  retries: 0,
  // On a busy machine a page may take its time.
  timeout: 90_000,
  expect: { timeout: 20_000 },
  projects: [
    { name: 'today', testIgnore: lastJourneys },
    { name: 'a month later', testMatch: lastJourneys },
  ],
  use: {
    ...(siteUnderTest.url() === '' ? {} : { baseURL: siteUnderTest.url() }),
    browserName: 'chromium',
    viewport: { width: 390, height: 844 },
    locale: 'en-US',
    timezoneId: 'America/Los_Angeles',
    reducedMotion: 'reduce',
    launchOptions: {
      executablePath: chromium.executablePath,
      args: [...chromium.args],
      env: chromium.env,
    },
  },
})
