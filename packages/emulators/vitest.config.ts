import { defineConfig } from 'vitest/config'

// The emulators import no other package of this repository, so this repeats where reports go.
const report = `${import.meta.dirname}/.reports/unit.json`

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    // No module holds state, so the files of a worker share what they import.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    reporters: process.env.TIDINGS_REPORTS ? ['default', ['json', { outputFile: report }]] : ['default'],
    projects: [{ extends: true, test: { name: 'unit' } }],
  },
})
