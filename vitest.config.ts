import { defineConfig } from 'vitest/config'
import { vitestResults } from './packages/launcher/src/testing/vitest-results.ts'

export default defineConfig({
  test: {
    // Their projects are named after package and kind, such as `@tidings/api (unit)`.
    projects: ['apps/*', 'packages/*', 'prisma', '.config'],
    reporters: ['default', vitestResults],
  },
})
