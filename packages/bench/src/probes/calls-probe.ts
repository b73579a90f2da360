/**
 * Loaded before a server's own program (`--import`): counts the calls of its API under `/v1/`, and tells at the port in
 * BENCH_PROBE_PORT how many there were.
 */
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
