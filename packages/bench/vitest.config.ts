import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts'],
          isolate: false,
          maxWorkers: 2,
          testTimeout: 60_000,
        },
      },
    ],
  },
})
