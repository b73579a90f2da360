import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Below the ephemeral ports (from 32768 on Linux), one of which an outgoing connection could take first. */
const [firstPort, lastPort] = [20_000, 32_767]
const maxTries = 100
/** Ports that this process has tried, because a caller may not listen yet. */
const tried = new Set<number>()

/** Returns a free TCP port of 127.0.0.1. Throws after a hundred taken ones. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const port = randomInt(firstPort, lastPort + 1)
    if (tried.has(port)) continue
    // Before the check, which takes a moment: other callers may draw the same port meanwhile.
    tried.add(port)
    if (await isPortFree(port)) return port
  }
  throw new Error(`None of ${maxTries} ports between ${firstPort} and ${lastPort} is free.`)
}

/** Returns whether a server could listen on this port. An address that this machine lacks counts as free. */
export async function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', (error) =>
      resolve('code' in error && error.code !== 'EADDRINUSE' && error.code !== 'EACCES'),
    )
    server.listen({ port, host }, () => server.close(() => resolve(true)))
  })
}
