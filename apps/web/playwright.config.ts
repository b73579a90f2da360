import { defineConfig } from '@playwright/test'
import { findChromium } from '@tidings/launcher/chromium'
import { siteUnderTest } from './e2e/site-under-test.config.ts'

const chromium = await findChromium()

// These tests advance the emulator's clock, which all tests share.
const lastTests = '**/a-month-later.spec.ts'

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  globalSetup: './e2e/global-setup.config.ts',
  reporter: [['list'], ['./e2e/results-reporter.config.ts']],
  workers: 2,
  fullyParallel: false,
  retries: 0,
  // A page can be slow on a busy machine.
  timeout: 180_000,
  expect: { timeout: 40_000 },
  projects: [
    { name: 'today', testIgnore: lastTests },
    // One after another: a worker has the tests with the same worker fixtures only.
    { name: 'a month later', testMatch: lastTests, dependencies: ['today'], workers: 1 },
  ],
  use: {
    ...(siteUnderTest.url() === '' ? {} : { baseURL: siteUnderTest.url() }),
    browserName: 'chromium',
    viewport: { width: 390, height: 844 },
    locale: 'en-US',
    timezoneId: 'America/Los_Angeles',
    reducedMotion: 'reduce',
    // Its requests would pass by the tests' routes; the tests about it allow it.
    serviceWorkers: 'block',
    launchOptions: {
      executablePath: chromium.executablePath,
      args: [...chromium.args],
      env: chromium.env,
    },
  },
})
