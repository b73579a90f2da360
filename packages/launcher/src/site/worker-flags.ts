/** Node's flags for a worker. Without them, its garbage takes more than 100 MB. */
export const workerFlags = ['--max-semi-space-size=8', '--heap-growing-percent=30'] as const
