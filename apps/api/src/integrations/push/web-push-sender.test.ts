import { afterAll, describe, expect, it } from 'vitest'
import webpush from 'web-push'
import { createFixedClock } from '#test/factories/fixed-clock.ts'
import { startPushService } from '#test/push/push-service.ts'
import { createWebPushSender } from './web-push-sender.ts'

const service = await startPushService()
afterAll(() => service.stop())

const clock = createFixedClock(new Date('2026-11-20T17:00:00.000Z'))
const vapid = {
  publicKey: service.env.VAPID_PUBLIC_KEY,
  privateKey: service.env.VAPID_PRIVATE_KEY,
  subject: 'mailto:desk@example.com',
}
const serviceUrl = new URL(service.env.PUSH_SERVICE_URL)
const payload = JSON.stringify({ title: 'Ships', body: '', path: '/', tag: 'a', lang: 'en' })
const message = { payload, topic: 'edition-1', ttlSeconds: 60 }

async function subscription() {
  const { endpoint, keys } = await service.subscribe()
  return { endpoint, ...keys }
}

describe('a notification by Web Push', () => {
  it('is decrypted by its browser', async () => {
    const sender = createWebPushSender({ vapid, serviceUrl, clock })
    const browser = await subscription()
    expect(await sender.send(browser, message)).toEqual({ outcome: 'accepted' })
    expect(await service.received(browser)).toMatchObject([
      { text: { title: 'Ships' }, ttl: 60, topic: 'edition-1', vapid: { sub: 'mailto:desk@example.com' } },
    ])
  })

  it('has a new token once the last one has expired', async () => {
    const later = createFixedClock(clock.now())
    const laterService = await startPushService({ now: later.now })
    const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey, PUSH_SERVICE_URL } = laterService.env
    const own = { ...vapid, publicKey, privateKey }
    const sender = createWebPushSender({ vapid: own, serviceUrl: new URL(PUSH_SERVICE_URL), clock: later })
    const { endpoint, keys } = await laterService.subscribe()
    await sender.send({ endpoint, ...keys }, message)
    later.pass(13 * 3_600_000)
    expect(await sender.send({ endpoint, ...keys }, message)).toEqual({ outcome: 'accepted' })
    await laterService.stop()
  })

  it.each([
    [404, 'gone'],
    [410, 'gone'],
    [400, 'permanent'],
    [403, 'permanent'],
    [413, 'permanent'],
    [429, 'temporary'],
    [500, 'temporary'],
    [503, 'temporary'],
  ] as const)('has an outcome for the status %s: %s', async (status, outcome) => {
    const sender = createWebPushSender({ vapid, serviceUrl, clock })
    const browser = await subscription()
    await service.replyWith(browser, { status, retryAfter: 30 })
    expect(await sender.send(browser, message)).toMatchObject({
      outcome,
      code: String(status),
      ...(outcome === 'temporary' && { retryAt: new Date('2026-11-20T17:00:30.000Z') }),
    })
  })

  it('is tried again if the service is down, with a reason that names no address', async () => {
    const gone = await startPushService()
    const { endpoint, keys } = await gone.subscribe()
    await gone.stop()
    const url = new URL(gone.env.PUSH_SERVICE_URL)
    const result = await createWebPushSender({ vapid, serviceUrl: url, clock }).send(
      { endpoint, ...keys },
      message,
    )
    expect(result).toMatchObject({ outcome: 'temporary', code: 'ECONNREFUSED' })
    expect(JSON.stringify(result)).not.toContain(url.host)
  })

  it('is not sent to a name that leads into our network by the time of sending', async () => {
    const addresses = ['142.250.74.36', '127.0.0.1']
    const resolveName = async () => [{ address: addresses.shift() ?? '10.0.0.1', family: 4 }]
    const sender = createWebPushSender({ vapid, serviceUrl, clock, resolveName })
    const browser = { ...(await subscription()), endpoint: 'https://push.example.com/1' }
    expect(await sender.accepts(browser)).toBe(true)
    expect(await sender.send(browser, message)).toMatchObject({
      outcome: 'permanent',
      code: 'EADDRESSREFUSED',
    })
    expect(await sender.accepts(browser)).toBe(false)
  })

  it('is refused for a browser of another site', async () => {
    const keys = webpush.generateVAPIDKeys()
    const sender = createWebPushSender({ vapid: { ...vapid, ...keys }, serviceUrl, clock })
    expect(await sender.send(await subscription(), message)).toMatchObject({
      outcome: 'permanent',
      code: '403',
    })
  })
})
