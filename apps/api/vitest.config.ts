import { reportersFor } from '@tidings/launcher/vitest-reports'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    reporters: reportersFor(import.meta.dirname),
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: ['**/*.integration.test.ts'],
          maxWorkers: 2,
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'integration',
          include: ['{src,test}/**/*.integration.test.ts'],
          globalSetup: ['@tidings/launcher/vitest-database'],
          fileParallelism: true,
          maxWorkers: 2,
          // Tests wait on facts; on a busy machine a fact may take its time.
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
