import { reportersFor } from '@tidings/launcher/vitest-reports'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    reporters: reportersFor(import.meta.dirname),
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts'],
          environment: 'happy-dom',
          environmentOptions: {
            // The page and the API are two origins here, as for any other site that uses the client.
            happyDOM: {
              url: 'https://reader.example/account?from=mail',
              settings: { fetch: { disableSameOriginPolicy: true } },
            },
          },
          setupFiles: ['./src/testing/setup.ts'],
          // One worker creates one window for all files: creating it takes longer than most files do.
          isolate: false,
          maxWorkers: 1,
          testTimeout: 60_000,
        },
      },
    ],
  },
})
