import { defineConfig } from 'vitest/config'

// These checks import no package of this repository, so this repeats where reports go.
const report = `${import.meta.dirname}/../.reports/unit.json`

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['**/*.test.ts'],
    isolate: false,
    testTimeout: 60_000,
    reporters: process.env.TIDINGS_REPORTS ? ['default', ['json', { outputFile: report }]] : ['default'],
    projects: [{ extends: true, test: { name: 'unit' } }],
  },
})
