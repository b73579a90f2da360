import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    isolate: false,
    maxWorkers: 2,
    testTimeout: 60_000,
    projects: [{ extends: true, test: { name: 'unit', include: ['src/**/*.test.ts'] } }],
  },
})
