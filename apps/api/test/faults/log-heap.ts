/** Loaded before a process under test, with `--expose-gc`. Logs the used heap after a garbage collection on SIGUSR2. */
process.on('SIGUSR2', () => {
  globalThis.gc?.()
  const bytes = process.memoryUsage().heapUsed
  process.stdout.write(`${JSON.stringify({ level: 30, msg: 'heap used', bytes })}\n`)
})
