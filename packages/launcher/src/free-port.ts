import { createServer } from 'node:net'

/** A TCP port of 127.0.0.1 that nobody listens on at this moment. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port: 0, host: '127.0.0.1' }, resolve)
  })
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (!address || typeof address === 'string') throw new Error('The system named no port.')
  return address.port
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
