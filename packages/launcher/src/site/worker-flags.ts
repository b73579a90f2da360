/** The flags of Node for a worker. Without them, what it no longer needs takes more than 100 MB. */
export const workerFlags = ['--max-semi-space-size=8', '--heap-growing-percent=30'] as const
