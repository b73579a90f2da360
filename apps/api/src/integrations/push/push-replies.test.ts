import type { Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import webpush from 'web-push'
import { createFixedClock } from '#test/factories/fixed-clock.ts'
import { type RawReply, startRawPushService } from '#test/push/raw-push-service.ts'
import { newSubscriptionKeys } from '#test/push/subscription-keys.ts'
import { createWebPushSender } from './web-push-sender.ts'

const clock = createFixedClock(new Date('2026-11-20T17:00:00.000Z'))
const vapid = { ...webpush.generateVAPIDKeys(), subject: 'mailto:desk@example.com' }
const message = { payload: '{}', topic: 'edition-1', ttlSeconds: 60 }
const timeoutMs = 300

/** Sends a message to a push service that replies like this. Returns the outcome and the requests. */
async function sendTo(reply: RawReply) {
  const service = await startRawPushService(reply)
  onTestFinished(() => service.stop())
  const sender = createWebPushSender({ vapid, serviceUrl: service.url, clock, timeoutMs })
  const endpoint = `${service.url.origin}/push/secret-path`
  const result = await sender.send({ endpoint, ...newSubscriptionKeys() }, message)
  return { result, requests: service.requests }
}

function head(socket: Socket, ...lines: string[]): void {
  socket.write(`HTTP/1.1 ${lines.join('\r\n')}\r\n\r\n`)
}

/** Writes for as long as the other side reads. */
function flood(socket: Socket): void {
  const chunk = Buffer.alloc(64 * 1024, 'x')
  const write = () => {
    while (!socket.destroyed && socket.write(chunk));
  }
  socket.on('drain', write)
  write()
}

describe('a push service that replies', () => {
  it.each<[string, RawReply, object]>([
    [
      '201 with an endless body counts as accepted',
      (socket) => {
        head(socket, '201 Created', 'Content-Length: 99999999999')
        flood(socket)
      },
      { outcome: 'accepted' },
    ],
    [
      '201 with a body that never ends counts as accepted',
      (socket) => head(socket, '201 Created', 'Content-Length: 10'),
      { outcome: 'accepted' },
    ],
    [
      '410 with a body that never ends counts as gone',
      (socket) => head(socket, '410 Gone', 'Content-Length: 10'),
      { outcome: 'gone', code: '410' },
    ],
    [
      'with endless headers is tried again',
      (socket) => {
        socket.write('HTTP/1.1 201 Created\r\nX: ')
        flood(socket)
      },
      { outcome: 'temporary' },
    ],
    [
      'with something else than HTTP is tried again',
      (socket) => socket.end('220 mail.example.com ESMTP\r\n'),
      { outcome: 'temporary' },
    ],
    ['with nothing is tried again', (socket) => socket.end(), { outcome: 'temporary' }],
    ['too late is tried again', () => undefined, { outcome: 'temporary', code: 'TimeoutError' }],
    [
      '429 with a date is tried again from then on',
      (socket) =>
        head(
          socket,
          '429 Too Many Requests',
          'Retry-After: Fri, 20 Nov 2026 17:05:00 GMT',
          'Content-Length: 0',
        ),
      { outcome: 'temporary', code: '429', retryAt: new Date('2026-11-20T17:05:00.000Z') },
    ],
    [
      '429 with seconds is tried again after them',
      (socket) => head(socket, '429 Too Many Requests', 'Retry-After: 90', 'Content-Length: 0'),
      { outcome: 'temporary', code: '429', retryAt: new Date('2026-11-20T17:01:30.000Z') },
    ],
    [
      '429 with nonsense is tried again as usual',
      (socket) => head(socket, '429 Too Many Requests', 'Retry-After: soon', 'Content-Length: 0'),
      { outcome: 'temporary', code: '429', retryAt: null },
    ],
    [
      '401 keeps the browser',
      (socket) => head(socket, '401 Unauthorized', 'Content-Length: 0'),
      { outcome: 'permanent', code: '401' },
    ],
  ])('%s', async (_title, reply, expected) => {
    const { result } = await sendTo(reply)
    expect(result).toMatchObject(expected)
    expect(JSON.stringify(result)).not.toMatch(/secret-path|127\.0\.0\.1/)
  })

  it.each([301, 302, 307, 308])('with the redirect %s is not followed', async (status) => {
    const elsewhere = await startRawPushService((socket) => head(socket, '201 Created', 'Content-Length: 0'))
    onTestFinished(() => elsewhere.stop())
    const { result, requests } = await sendTo((socket) =>
      head(socket, `${status} Elsewhere`, `Location: ${elsewhere.url.href}`, 'Content-Length: 0'),
    )
    expect(result).toMatchObject({ outcome: 'permanent', code: String(status) })
    expect([requests.length, elsewhere.requests.length]).toEqual([1, 0])
  })
})
