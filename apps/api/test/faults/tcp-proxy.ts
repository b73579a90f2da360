import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export type TcpProxy = {
  /** The database's URL through this proxy. */
  url: string
  /** Keeps connections open and accepts new ones, but passes on nothing, as a lost network does. */
  freeze(): void
  /** Ends what `freeze` or `cut` began; connections from before are closed. */
  thaw(): void
  /** Closes every connection, and each new one at once. */
  cut(): void
}

/** Starts a proxy before a Postgres server, to take its network away; closed when the test ends. */
export async function startTcpProxy(databaseUrl: string): Promise<TcpProxy> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let state: 'open' | 'frozen' | 'cut' = 'open'
  const isOpen = () => state === 'open'

  function keep(socket: Socket): void {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  }
  function destroyAll(): void {
    for (const socket of sockets) socket.destroy()
  }

  const server = createServer((client) => {
    if (state === 'cut') return void client.resetAndDestroy()
    keep(client)
    if (state === 'frozen') return
    const upstream = connect(Number(target.port), target.hostname)
    keep(upstream)
    client.on('data', (bytes) => isOpen() && upstream.write(bytes))
    upstream.on('data', (bytes) => isOpen() && client.write(bytes))
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => isOpen() && client.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    destroyAll()
    server.close()
  })
  const address = server.address()
  const url = new URL(databaseUrl)
  if (typeof address === 'object' && address !== null) url.host = `127.0.0.1:${address.port}`
  return {
    url: url.href,
    freeze: () => {
      state = 'frozen'
    },
    thaw: () => {
      state = 'open'
      destroyAll()
    },
    cut: () => {
      state = 'cut'
      destroyAll()
    },
  }
}
