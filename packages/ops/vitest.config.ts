import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'integration',
          include: ['src/**/*.integration.test.ts'],
          maxWorkers: 2,
          sequence: { groupOrder: 4 },
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
