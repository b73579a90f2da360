import { reportersFor } from '@tidings/launcher/vitest-reports'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    isolate: false,
    testTimeout: 60_000,
    reporters: reportersFor(import.meta.dirname),
    projects: [{ extends: true, test: { name: 'unit', include: ['src/**/*.test.ts'] } }],
  },
})
