/** Loaded before a server with `--import`: counts the calls under `/v1/` and serves the count on BENCH_PROBE_PORT. */
import { subscribe } from 'node:diagnostics_channel'
import { createServer, IncomingMessage } from 'node:http'

let calls = 0

subscribe('http.server.request.start', (message) => {
  if (typeof message !== 'object' || message === null || !('request' in message)) return
  const { request } = message
  if (request instanceof IncomingMessage && request.url?.startsWith('/v1/')) calls += 1
})

const probe = createServer((_request, response) => response.end(String(calls)))
probe.listen(Number(process.env.BENCH_PROBE_PORT), '127.0.0.1')
probe.unref()
