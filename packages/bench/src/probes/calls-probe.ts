/** Loaded before a server with `--import`: serves on BENCH_PROBE_PORT when each call under a path began. */
import { subscribe } from 'node:diagnostics_channel'
import { createServer, IncomingMessage } from 'node:http'

const calls: { path: string; at: number }[] = []

subscribe('http.server.request.start', (message) => {
  if (typeof message !== 'object' || message === null || !('request' in message)) return
  const { request } = message
  if (request instanceof IncomingMessage) calls.push({ path: request.url ?? '', at: performance.now() })
})

const probe = createServer(({ url = '' }, response) => {
  const times = calls.filter(({ path }) => path !== url && path.startsWith(url)).map(({ at }) => at)
  response.end(JSON.stringify(times))
})
probe.listen(Number(process.env.BENCH_PROBE_PORT), '127.0.0.1')
probe.unref()
