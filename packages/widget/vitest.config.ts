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
          isolate: false,
          maxWorkers: 2,
          testTimeout: 60_000,
        },
      },
    ],
  },
})
