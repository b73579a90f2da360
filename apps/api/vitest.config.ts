import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // No module of the API holds state, so the files of a worker share what they import: half the processor time.
    isolate: false,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{seed,src,test}/**/*.test.ts'],
          exclude: ['**/*.integration.test.ts'],
          maxWorkers: 2,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['{seed,src,test}/**/*.integration.test.ts'],
          globalSetup: ['@tidings/launcher/vitest-database'],
          setupFiles: ['test/drop-databases.ts'],
          fileParallelism: true,
          // After the unit tests of all packages.
          sequence: { groupOrder: 4 },
          // Each worker imports the API and starts the sites that its files share, with up to 60 connections.
          maxWorkers: 2,
          // Tests wait on facts; on a busy machine a fact may take its time.
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          // Started by the bench.
          name: 'simulation',
          include: ['test/**/*.simulation.ts'],
          globalSetup: ['@tidings/launcher/vitest-database'],
          testTimeout: 3_600_000,
          provide: {
            deliveryFaultsSeed: Number(process.env.DELIVERY_FAULTS_SEED ?? 1),
            paymentsAudit: {
              seed: Number(process.env.PAYMENTS_AUDIT_SEED ?? 1),
              minutes: Number(process.env.PAYMENTS_AUDIT_MINUTES ?? 10),
            },
          },
        },
      },
    ],
  },
})
