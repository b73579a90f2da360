import { defineConfig } from 'vitest/config'

// These mock a module, which the other files of a shared worker would get too.
const filesWithModuleMocks = [
  'src/routes/error-screen.test.tsx',
  'src/lib/phone/stalled-phone-library.test.ts',
]

export default defineConfig({
  test: {
    // The reader of these tests lives where the site's editors do.
    env: { TZ: 'America/Los_Angeles' },
    environment: 'happy-dom',
    environmentOptions: { happyDOM: { url: 'http://localhost:3000/' } },
    setupFiles: ['./src/testing/setup.ts'],
    // One worker creates one window for all files: creating it takes longer than many files do.
    maxWorkers: 1,
    testTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['src/**/*.test.{ts,tsx}'],
          exclude: filesWithModuleMocks,
          sequence: { groupOrder: 1 },
          // The files of a worker share what they import: less than half the processor time.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'unit with module mocks', include: filesWithModuleMocks } },
    ],
  },
})
