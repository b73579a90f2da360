import { reportersFor } from '@tidings/launcher/vitest-reports'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    reporters: reportersFor(import.meta.dirname),
    projects: [
      { test: { name: 'unit', include: ['src/**/*.test.ts'], isolate: false, testTimeout: 60_000 } },
    ],
  },
})
