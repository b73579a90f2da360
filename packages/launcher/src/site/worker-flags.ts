/** The flags of Node for a worker. By default, objects that it needs for a moment only take more than 100 MB. */
export const workerFlags = ['--max-semi-space-size=4'] as const
