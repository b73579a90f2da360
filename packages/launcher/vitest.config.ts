import { defineConfig } from 'vitest/config'
import { reportersFor } from './src/vitest-reports.ts'

export default defineConfig({
  test: {
    reporters: reportersFor(import.meta.dirname),
    projects: [
      { test: { name: 'unit', include: ['src/**/*.test.ts'], exclude: ['src/**/*.integration.test.ts'] } },
      {
        test: {
          name: 'integration',
          include: ['src/**/*.integration.test.ts'],
          globalSetup: ['src/vitest-database.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
