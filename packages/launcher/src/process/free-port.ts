import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import getPort from 'get-port'

/** Below the ephemeral ports (from 32768 on Linux), one of which an outgoing connection could take first. */
const [firstPort, lastPort] = [20_000, 32_767]
const maxTries = 100

/** Returns a free TCP port, which no other caller in this process gets. */
export async function freePort(): Promise<number> {
  // Drawn, because other processes look for free ports at the same time.
  const drawn = Array.from({ length: maxTries }, () => randomInt(firstPort, lastPort + 1))
  return await getPort({ port: drawn, reserve: true })
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
