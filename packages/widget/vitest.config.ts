import { reportersFor } from '@tidings/launcher/vitest-reports'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    reporters: reportersFor(import.meta.dirname),
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
          testTimeout: 60_000,
        },
      },
    ],
  },
})
