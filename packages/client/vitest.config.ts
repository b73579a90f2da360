import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts'],
          exclude: ['src/**/*.integration.test.ts'],
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
          sequence: { groupOrder: 2 },
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'integration',
          include: ['src/**/*.integration.test.ts'],
          globalSetup: ['src/testing/running-site.ts'],
          isolate: false,
          // All files use one running site.
          maxWorkers: 1,
          sequence: { groupOrder: 5 },
          // Tests wait on emails and syncs; on a busy machine these may take their time.
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 40_000 } },
        },
      },
    ],
  },
})
