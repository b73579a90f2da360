import { connect, type Socket } from 'node:net'
import { errorReply } from '@tidings/contracts/errors'
import { describe, expect, vi } from 'vitest'
import { z } from 'zod'
import { createCapturedLog } from '#test/captured-log.ts'
import { createTestProfileImages } from '#test/content/profile-images.ts'
import { jpegPicture } from '#test/factories/pictures.ts'
import { siteTest } from '#test/fixtures.ts'
import type { TestMember } from '#test/membership.ts'
import { waitOptions } from '#test/wait-options.ts'

const log = createCapturedLog()

/** Incomplete requests of a member. */
function createRequests({ headers }: TestMember) {
  const member = Object.entries({ host: 'a', ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')
  return {
    headers: 'GET /gate HTTP/1.1\r\nHost: a\r\n',
    json: `POST /member HTTP/1.1\r\n${member}Content-Type: application/json\r\nContent-Length: 400\r\n\r\n{"custom`,
    upload:
      `POST /member/profile-image HTTP/1.1\r\n${member}Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 4000\r\n\r\n` +
      '--b\r\nContent-Disposition: form-data; name="profileImage"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\nabc',
  }
}

const it = siteTest({ env: { REQUEST_TIMEOUT_SECONDS: '1' }, overrides: { logger: log.logger } })
  .extend('port', { scope: 'file' }, async ({ site }) => Number(new URL(await site.listen()).port))
  .extend('ann', { scope: 'file' }, ({ members }) => members.signUp())
  .extend('incomplete', { scope: 'file' }, ({ ann }) => createRequests(ann))
  /** Opens a connection that the client never closes. */
  .extend('open', { scope: 'file' }, ({ port }) => (): Socket => {
    return connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  })

describe('a request that exceeds its timeout', () => {
  it.for([
    ['with incomplete headers', 'headers'],
    ['with an incomplete JSON body', 'json'],
    ['with an incomplete upload', 'upload'],
  ] as const)(
    '%s is rejected and its connection closed',
    async ([_what, kind], { site, incomplete, open }) => {
      const socket = open()
      let received = ''
      socket.setEncoding('utf8').on('data', (chunk) => {
        received += chunk
      })
      const { promise: serverSide, resolve } = Promise.withResolvers<Socket>()
      site.app.server.once('connection', resolve)
      socket.write(incomplete[kind])
      // The client keeps its side open, so the server must close the connection.
      await vi.waitFor(async () => expect((await serverSide).destroyed).toBe(true), waitOptions)
      await vi.waitFor(() => expect(received).toMatch(/^HTTP\/1.1 408 /), waitOptions)
      const { error } = z
        .strictObject(errorReply.shape)
        .parse(JSON.parse(received.slice(received.indexOf('\r\n\r\n'))))
      expect(error.code).toBe('invalid-request')
      socket.destroy()
    },
  )

  it('ends within REQUEST_TIMEOUT_SECONDS, including the check interval', ({ site }) => {
    const { server } = site.app
    const { connectionsCheckingInterval } = { connectionsCheckingInterval: Number.NaN, ...server }
    expect(server.headersTimeout + connectionsCheckingInterval).toBeLessThanOrEqual(1000)
    expect(server.requestTimeout + connectionsCheckingInterval).toBeLessThanOrEqual(1000)
  })
})

it("slow uploads do not block the member's other uploads", async ({ site, ann, incomplete, open }) => {
  const slow = Array.from({ length: 3 }, () => open())
  const requests = Promise.withResolvers<void>()
  let arrived = 0
  site.app.server.on('request', () => {
    arrived += 1
    if (arrived === slow.length) requests.resolve()
  })
  for (const socket of slow) socket.write(incomplete.upload)
  await requests.promise
  const reply = await createTestProfileImages(site).upload(ann, await jpegPicture(20, 20))
  expect(reply.statusCode).toBe(200)
  for (const socket of slow) socket.destroy()
})

describe('a client that disconnects', () => {
  it.for([
    ['while sending JSON', 'json'],
    ['while uploading', 'upload'],
  ] as const)('%s causes no error', async ([_what, kind], { site, port, incomplete, open }) => {
    const lines = log.lines.length
    const refusals = JSON.stringify((await site.context.metrics.refusals.get()).values)
    const { promise: serverSide, resolve } = Promise.withResolvers<Socket>()
    site.app.server.once('connection', resolve)
    const request = Promise.withResolvers<void>()
    site.app.server.once('request', () => request.resolve())
    const socket = open()
    socket.write(incomplete[kind])
    await request.promise
    socket.resetAndDestroy()
    await vi.waitFor(async () => expect((await serverSide).destroyed).toBe(true), waitOptions)
    // Once another request is served, the disconnect has been handled.
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200)
    const noise = log.lines.slice(lines).filter((line) => JSON.parse(line).level > 20)
    expect(noise).toEqual([])
    expect(JSON.stringify((await site.context.metrics.refusals.get()).values)).toBe(refusals)
  })
})
