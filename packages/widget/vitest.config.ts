import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.{ts,tsx}'],
          environment: 'happy-dom',
          environmentOptions: { happyDOM: { url: 'https://reader.example/account' } },
          // One worker creates one window for all files: creating it takes longer than most files do.
          isolate: false,
          maxWorkers: 1,
          sequence: { groupOrder: 3 },
          testTimeout: 60_000,
        },
      },
    ],
  },
})
