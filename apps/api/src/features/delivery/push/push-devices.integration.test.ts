import { memberExportReply } from '@tidings/contracts/membership/members'
import { pushDevicesReply } from '@tidings/contracts/membership/push'
import { afterAll, describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { holdFreePlan, holdPlan, testPlans } from '#test/factories/plans.ts'
import { siteTest } from '#test/fixtures.ts'
import { type Subscription, startPushService } from '#test/push/push-service.ts'

const service = await startPushService()
afterAll(() => service.stop())

const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/1 Safari/604.1'

type Headers = { headers: Record<string, string> }

const it = siteTest({ env: service.env }).extend('devices', { scope: 'file' }, ({ members, site }) => ({
  /** Signs up a member with a plan. */
  async member(planId: string = testPlans.monthly) {
    const member = await members.signUp()
    await holdPlan(site, member.memberId, planId)
    return member
  },
  async add({ headers }: Headers, subscription: object) {
    const body = { ...subscription, expirationTime: null }
    return await members.call('POST', '/member/push-devices', {
      headers: { ...headers, 'user-agent': iphone },
      body,
    })
  },
  async list({ headers }: Headers) {
    const reply = await members.call('GET', '/member/push-devices', { headers })
    return pushDevicesReply.strict().parse(reply.json()).data
  },
  remove: ({ headers }: Headers, id: string) =>
    members.call('DELETE', `/member/push-devices/${id}`, { headers }),
}))

const itWithoutKeys = siteTest()

describe('the browsers that are notified', () => {
  it('are listed newest first, by the names that sessions have', async ({ site, devices }) => {
    const ann = await devices.member()
    expect(await devices.list(ann)).toEqual({ publicKey: service.publicKey, planDelivers: true, devices: [] })
    const first = (await devices.add(ann, await service.subscribe())).json().data
    site.clock.pass(1_000)
    const second = (await devices.add(ann, await service.subscribe())).json().data
    const { devices: listed } = await devices.list(ann)
    expect(listed).toEqual([second, first])
    expect(listed[1]).toMatchObject({ name: 'Safari on iPhone', lastNotifiedAt: null })
  })

  it('keep their ids when they are added again, with new keys', async ({ devices, db }) => {
    const ann = await devices.member()
    const [before, other] = [await service.subscribe(), await service.subscribe()]
    const first = (await devices.add(ann, before)).json().data
    await db.pushDevice.update({ where: { id: first.id }, data: { vapidKey: 'another' } })
    const again = (await devices.add(ann, { ...before, keys: other.keys })).json().data
    expect(again).toEqual(first)
    const vapidKey = service.publicKey
    const stored = await db.pushDevice.findMany({ where: { memberId: ann.memberId } })
    expect(stored).toMatchObject([{ ...other.keys, vapidKey }])
  })

  it('notify the member who logged in last in the same browser', async ({ devices, db }) => {
    const [ann, bob] = [await devices.member(), await devices.member()]
    const browser = await service.subscribe()
    const { id } = (await devices.add(ann, browser)).json().data
    await db.pushDevice.update({ where: { id }, data: { lastRunId: 7, lastNotifiedAt: new Date(0) } })

    const moved = (await devices.add(bob, browser)).json().data

    expect(moved.id).not.toBe(id)
    expect((await devices.list(ann)).devices).toEqual([])
    expect((await devices.list(bob)).devices).toEqual([{ ...moved, lastNotifiedAt: null }])
    // So that the browser isn't notified of the same edition again.
    expect(await db.pushDevice.findMany({ where: { memberId: bob.memberId } })).toMatchObject([
      { lastRunId: 7 },
    ])
    expect(refusalOf(await devices.remove(ann, moved.id))).toMatchObject({ code: 'push-device-not-found' })
  })

  it('are ten at most, also when they are added at once', async ({ devices }) => {
    const ann = await devices.member()
    const browsers = await Promise.all(Array.from({ length: 11 }, () => service.subscribe()))
    const replies = await Promise.all(browsers.map((browser) => devices.add(ann, browser)))
    const refused = replies.filter(({ statusCode }) => statusCode !== 200)
    expect(refused).toHaveLength(1)
    const refusal = refusalOf(await devices.add(ann, await service.subscribe()))
    expect(refusal).toMatchObject({ status: 409, code: 'push-devices-full' })
    expect(refusal.message).toContain('Turn them off in one that you no longer use')
    const { devices: listed } = await devices.list(ann)
    expect(listed).toHaveLength(10)
    await devices.remove(ann, listed[0]?.id ?? '')
    expect((await devices.add(ann, await service.subscribe())).statusCode).toBe(200)
  })

  it('need a plan that delivers, as every delivery does', async ({ site, members, devices, db }) => {
    const ann = await members.signUp()
    const browser = await service.subscribe()
    const refused = { status: 409, code: 'push-needs-plan' }
    expect(refusalOf(await devices.add(ann, browser))).toMatchObject(refused)
    await holdFreePlan(site, ann.memberId, testPlans.free)
    expect(refusalOf(await devices.add(ann, browser))).toMatchObject(refused)
    expect(await devices.list(ann)).toMatchObject({ planDelivers: false, devices: [] })
    await holdPlan(site, ann.memberId, testPlans.monthly)
    expect(await devices.list(ann)).toMatchObject({ planDelivers: true })
    const { id } = (await devices.add(ann, browser)).json().data
    await db.planConnection.updateMany({ where: { memberId: ann.memberId }, data: { active: false } })
    expect(refusalOf(await devices.add(ann, await service.subscribe()))).toMatchObject(refused)
    // It would go on with the next plan, so that its keys and its session stay true.
    expect((await devices.add(ann, browser)).json().data.id).toBe(id)
  })

  it('are removed one by one, and only by their member', async ({ devices }) => {
    const [ann, bob] = [await devices.member(), await devices.member()]
    const { id } = (await devices.add(ann, await service.subscribe())).json().data
    for (const wrong of [id, 'not-an-id', '019aa000-0000-7000-8000-000000000001']) {
      expect(refusalOf(await devices.remove(bob, wrong))).toMatchObject({
        status: 404,
        code: 'push-device-not-found',
      })
    }
    expect((await devices.remove(ann, id)).json().data).toEqual({ id })
    expect((await devices.list(ann)).devices).toEqual([])
  })

  it('are in the export without their secrets, and end with the account', async ({
    members,
    devices,
    db,
  }) => {
    const ann = await devices.member()
    const browser = await service.subscribe()
    const added = (await devices.add(ann, browser)).json().data
    const exported = await members.call('GET', '/member/export', { headers: ann.headers })
    expect(memberExportReply.parse(exported.json()).data.pushDevices).toEqual([
      { name: 'Safari on iPhone', createdAt: added.addedAt, lastNotifiedAt: null },
    ])
    for (const secret of [browser.endpoint, browser.keys.p256dh, browser.keys.auth]) {
      expect(exported.body).not.toContain(secret)
    }
    await members.call('DELETE', '/member', { headers: ann.headers, body: { password: ann.password } })
    expect(await db.pushDevice.count({ where: { memberId: ann.memberId } })).toBe(0)
  })

  it('need a session', async ({ members }) => {
    for (const method of ['GET', 'POST'] as const) {
      const body = method === 'POST' ? { body: await service.subscribe() } : {}
      expect(refusalOf(await members.call(method, '/member/push-devices', body))).toMatchObject({
        status: 401,
        code: 'login-required',
      })
    }
  })

  it.for([
    ['of this machine', (url: URL) => `https://127.0.0.1${url.pathname}`],
    ['of this machine by its name', (url: URL) => `https://localhost${url.pathname}`],
    ['of another port of this machine', (url: URL) => `http://127.0.0.1:9${url.pathname}`],
    ['of a private network', () => 'https://10.0.0.8/push'],
    ['of the metadata of a cloud', () => 'https://169.254.169.254/latest/meta-data'],
    ['of a private network in IPv6', () => 'https://[fd00::8]/push'],
    ['of a private one that is written in IPv6', () => 'https://[::ffff:10.0.0.8]/push'],
    ['of a name without a domain', () => 'https://postgres/push'],
    ['without encryption', () => 'http://push.example.com/push'],
    ['of another port', () => 'https://push.example.com:8443/push'],
    ['of a number in another spelling', () => 'https://0x0a000008/push'],
    ['with a character that cannot be stored', () => 'https://push.example.com/\u0000'],
    ['with half of a character', () => 'https://push.example.com/\ud83d'],
    ['of more bytes than characters', () => `https://push.example.com/${'é'.repeat(1_900)}`],
    ['in another spelling, which would be notified once more', () => 'https://PUSH.example.com/push'],
    ['with a fragment, which would too', () => 'https://push.example.com/push#2'],
    ['with a password', () => 'https://user:password@push.example.com/push'],
  ] as const)('are refused with an address %s', async ([_what, addressOf], { devices }) => {
    const ann = await devices.member()
    const browser = await service.subscribe()
    const endpoint = addressOf(new URL(browser.endpoint))
    expect(refusalOf(await devices.add(ann, { ...browser, endpoint }))).toMatchObject({
      status: 400,
      code: 'push-service-refused',
    })
    expect((await devices.list(ann)).devices).toEqual([])
  })

  it.for([
    ['a short key', { p256dh: 'AAAA' }, 'push-service-refused'],
    ['a key that is no point', { p256dh: 'A'.repeat(87) }, 'push-service-refused'],
    ['a short secret', { auth: 'AAAA' }, 'push-service-refused'],
    ['a key that is no base64url', { p256dh: 'a b' }, 'invalid-request'],
  ] as const)('are refused with %s', async ([_what, keys, code], { devices }) => {
    const ann = await devices.member()
    const browser: Subscription = await service.subscribe()
    const reply = await devices.add(ann, { ...browser, keys: { ...browser.keys, ...keys } })
    expect(refusalOf(reply)).toMatchObject({ status: 400, code })
  })
})

it('POST /member/push-devices is limited to RATE_PUSH_DEVICES_PER_HOUR per member', async ({
  site,
  members,
}) => {
  site.limitCalls('pushDevices', 2)
  const [ann, bea] = [await members.signUp(), await members.signUp()]
  const body = await service.subscribe()
  const add = async ({ headers }: Headers) =>
    (await members.call('POST', '/member/push-devices', { headers, body })).statusCode
  await holdPlan(site, ann.memberId, testPlans.monthly)
  expect([await add(ann), await add(ann), await add(ann), await add(bea)]).toEqual([200, 200, 429, 409])
})

describe('a site without keys', () => {
  itWithoutKeys('offers nothing and adds no browser', async ({ members }) => {
    const { headers } = await members.signUp()
    const reply = await members.call('GET', '/member/push-devices', { headers })
    expect(reply.json().data).toEqual({ publicKey: null, planDelivers: false, devices: [] })
    const body = await service.subscribe()
    const added = await members.call('POST', '/member/push-devices', { headers, body })
    expect(refusalOf(added)).toMatchObject({ status: 409, code: 'push-off' })
  })
})
