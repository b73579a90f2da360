import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    environment: 'happy-dom',
    testTimeout: 60_000,
    projects: [{ extends: true, test: { name: 'unit', include: ['src/**/*.test.{ts,tsx}'] } }],
  },
})
