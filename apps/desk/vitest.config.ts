import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.{ts,tsx}'],
    environment: 'happy-dom',
    testTimeout: 60_000,
    projects: [{ extends: true, test: { name: 'unit' } }],
  },
})
