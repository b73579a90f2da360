import { connect } from 'node:net'
import { errorReply } from '@tidings/contracts/errors'
import { describe, expect } from 'vitest'
import { z } from 'zod'
import { siteTest } from '#test/fixtures.ts'

const it = siteTest()
  .extend('port', { scope: 'file' }, async ({ site }) => Number(new URL(await site.listen()).port))

  /** Sends raw bytes and returns all received data once the server ends the connection. */
  .extend('sendRaw', { scope: 'file' }, ({ port }) => async (bytes: string | Buffer): Promise<string> => {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const socket = connect(port, '127.0.0.1')
    let received = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk) => {
      received += chunk
    })
    socket.on('end', () => resolve(received))
    socket.on('error', (error) => (received === '' ? reject(error) : resolve(received)))
    socket.write(bytes)
    return await promise
  })

/** Returns the status and body of the last response in the received data. */
function readReply(received: string): { status: number; body: string } {
  const status = Number(/HTTP\/1\.1 (\d{3})(?![\s\S]*HTTP\/1\.1 )/.exec(received)?.[1])
  const body = received.slice(received.lastIndexOf('\r\n\r\n') + 4)
  return { status, body: /\{.*\}/s.exec(body)?.[0] ?? '' }
}

describe('a malformed request', () => {
  it.for([
    ['garbage', '\u0000\u0001\u0002 garbage\r\n\r\n', 400, 'invalid-request'],
    ['a greeting of another protocol', 'EHLO example.com\r\n\r\n', 400, 'invalid-request'],
    ['an unknown method', 'FROBNICATE / HTTP/1.1\r\nHost: a\r\n\r\n', 400, 'invalid-request'],
    ['a header without a colon', 'GET / HTTP/1.1\r\nHost a\r\n\r\n', 400, 'invalid-request'],
    ['a header with a line break', 'GET / HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n', 400, 'invalid-request'],
    [
      'a length that is not a number',
      'POST /gate HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n',
      400,
      'invalid-request',
    ],
    [
      'two lengths that differ',
      'POST /gate HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
      400,
      'invalid-request',
    ],
    [
      'a length with chunked encoding',
      'POST /gate HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
      'invalid-request',
    ],
    [
      'a chunk of no size',
      'POST /gate HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      400,
      'invalid-request',
    ],
    [
      'headers that are too large',
      `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'payload-too-large',
    ],
    [
      'a URL that is too long',
      `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
      431,
      'payload-too-large',
    ],
    ['no host', 'GET /gate HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'invalid-request'],
    [
      'an unknown expectation',
      'POST /gate HTTP/1.1\r\nHost: a\r\nExpect: a miracle\r\nContent-Length: 2\r\n\r\n{}',
      417,
      'invalid-request',
    ],
    [
      'a target without a path',
      'OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
      404,
      'not-found',
    ],
    [
      'a target on another host',
      'GET http://b.example/x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
      404,
      'not-found',
    ],
    [
      'a target with two hosts',
      'GET //b.example/%2e%2e HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
      404,
      'not-found',
    ],
    [
      'an upgrade of another path',
      'GET /gate HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n',
      404,
      'not-found',
    ],
    [
      'an empty content type',
      'POST /gate HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: \r\nContent-Length: 2\r\n\r\n{}',
      415,
      'unsupported-media-type',
    ],
  ] as const)(
    'returns an error in its one shape for %s',
    async ([_name, bytes, status, code], { sendRaw }) => {
      const reply = readReply(await sendRaw(bytes))
      expect(reply.status).toBe(status)
      const { error } = z.strictObject(errorReply.shape).parse(JSON.parse(reply.body))
      expect(error.code).toBe(code)
      expect(error.message).not.toMatch(/^\s*at |HPE_|node:|\.ts/m)
    },
  )

  it('does not bypass the gate with the name of another host', async ({ sendRaw }) => {
    for (const target of ['http://a.example/edition/prod/get_list', '//a.example/edition/prod/get_list']) {
      const reply = readReply(await sendRaw(`GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`))
      expect([401, 404]).toContain(reply.status)
    }
  })

  it.for(['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'PURGE'])(
    'returns 404 for an unknown method: %s',
    async (method, { site, sendRaw }) => {
      const headers = `Host: a\r\nCookie: ${site.pass}\r\nConnection: close`
      const reply = readReply(
        await sendRaw(`${method} /edition/prod/get_list HTTP/1.1\r\n${headers}\r\n\r\n`),
      )
      expect(reply.status).toBe(404)
      expect(z.strictObject(errorReply.shape).parse(JSON.parse(reply.body)).error.code).toBe('not-found')
    },
  )

  it('does not affect the next request', async ({ port, sendRaw }) => {
    await sendRaw('nonsense\r\n\r\n')
    const reply = await fetch(`http://127.0.0.1:${port}/healthz`)
    expect(reply.status).toBe(200)
  })

  it('does not crash the server when the client disconnects', async ({ port }) => {
    for (const bytes of [
      'GET /gate HT',
      'POST /gate HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{"pass',
    ]) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const socket = connect(port, '127.0.0.1', () => {
        socket.write(bytes, () => socket.resetAndDestroy())
      })
      socket.on('close', () => resolve())
      await promise
    }
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200)
  })

  const handshake =
    'Host: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'

  it('closes the connection of a handshake that the gate rejects', async ({ sendRaw }) => {
    const reply = readReply(await sendRaw(`GET /socket HTTP/1.1\r\n${handshake}\r\n`))
    expect(reply.status).toBe(401)
    expect(JSON.parse(reply.body).error.code).toBe('gate-required')
  })

  it.for([
    ['a wrong version', ['Version: 13', 'Version: 1']],
    ['an invalid key', ['dGhlIHNhbXBsZSBub25jZQ==', 'short']],
    ['an invalid list of protocols', ['Host: a', 'Host: a\r\nSec-WebSocket-Protocol: ,;,']],
    ['another protocol', ['Upgrade: websocket', 'Upgrade: h2c']],
  ] as const)(
    'returns 426 for a handshake with %s',
    async ([_name, [from = '', to = '']], { site, sendRaw }) => {
      const headers = `${handshake.replace(from, to)}Cookie: ${site.pass}\r\n`.replace(
        'Connection: Upgrade',
        'Connection: Upgrade, close',
      )
      const reply = readReply(await sendRaw(`GET /socket HTTP/1.1\r\n${headers}\r\n`))
      expect(reply.status).toBe(426)
      expect(JSON.parse(reply.body).error.code).toBe('upgrade-required')
    },
  )

  it('ignores an upgrade to HTTP/2', async ({ sendRaw }) => {
    const reply = readReply(
      await sendRaw(
        'GET /gate HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\n\r\n',
      ),
    )
    expect(reply.status).toBe(200)
  })

  it('accepts HTTP/1.0 without a host', async ({ sendRaw }) => {
    expect(readReply(await sendRaw('GET /gate HTTP/1.0\r\n\r\n')).status).toBe(200)
  })
})
