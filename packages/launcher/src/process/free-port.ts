import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * Where ports are looked for: below those that systems give to connections on their way out (from 32768 on Linux, 49152
 * elsewhere), one of which could else take the port before whoever asked for it listens there.
 */
const [firstPort, lastPort] = [20_000, 32_767]
const maxTries = 100
/** No port is given twice by one process, since the first who asked may not listen yet. */
const given = new Set<number>()

/** A TCP port of 127.0.0.1 that nobody listens on at this moment. Throws after a hundred taken ones. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const port = randomInt(firstPort, lastPort + 1)
    if (given.has(port) || !(await isPortFree(port))) continue
    given.add(port)
    return port
  }
  throw new Error(`None of ${maxTries} ports between ${firstPort} and ${lastPort} is free.`)
}

/** Whether a server could listen on this port of the given address now. An address that this machine lacks is free. */
export async function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', (error) =>
      resolve('code' in error && error.code !== 'EADDRINUSE' && error.code !== 'EACCES'),
    )
    server.listen({ port, host }, () => server.close(() => resolve(true)))
  })
}
