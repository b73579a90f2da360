import { defineConfig } from 'vitest/config'

// The emulators import nothing of ours, so the report's place is spelled out here as the other packages have it.
const report = `${import.meta.dirname}/.reports/unit.json`

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    // No module holds state, so the files of a worker share what they import.
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 20_000 } },
    reporters: process.env.TIDINGS_REPORTS ? ['default', ['json', { outputFile: report }]] : ['default'],
    projects: [{ extends: true, test: { name: 'unit' } }],
  },
})
