import { pushDevicesReply } from '@tidings/contracts/membership/push'
import { afterAll, describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { holdPlan, testPlans } from '#test/factories/plans.ts'
import { addPushDevice } from '#test/factories/recipients.ts'
import { siteTest } from '#test/fixtures.ts'
import { startPushService } from '#test/push/push-service.ts'
import { overtake } from '#test/row-locks.ts'

const service = await startPushService()
afterAll(() => service.stop())

type Headers = Record<string, string>

const it = siteTest({ env: service.env }).extend('browsers', { scope: 'file' }, ({ site, members }) => {
  async function add(headers: Headers, subscription?: object): Promise<string> {
    const body = subscription ?? (await service.subscribe())
    const reply = await members.call('POST', '/member/push-devices', { headers, body })
    expect(reply.statusCode).toBe(200)
    return reply.json().data.id
  }
  return {
    add,
    /** Returns a member with a plan who is logged in twice, each time with a notified browser. */
    async member() {
      const here = await members.signUp()
      await holdPlan(site, here.memberId, testPlans.monthly)
      const session = await members.logIn(here)
      const there = members.headersOf(session)
      const devices = { here: await add(here.headers), there: await add(there) }
      return { ...here, here: here.headers, there, devices }
    },
    async list(headers: Headers): Promise<Record<string, boolean>> {
      const reply = await members.call('GET', '/member/push-devices', { headers })
      const { devices } = pushDevicesReply.parse(reply.json()).data
      return Object.fromEntries(devices.map(({ id, current }) => [id, current]))
    },
    async sessionOf(headers: Headers): Promise<string> {
      const reply = await members.call('GET', '/member/sessions', { headers })
      const sessions: { id: string; current: boolean }[] = reply.json().data
      return sessions.find(({ current }) => current)?.id ?? expect.fail()
    },
  }
})

describe('the notifications of a browser', () => {
  it.for(['here', 'there'] as const)(
    'say which browser is that of the session: %s',
    async (which, { browsers }) => {
      const ann = await browsers.member()
      const { here, there } = ann.devices
      expect(await browsers.list(ann[which])).toEqual({
        [here]: which === 'here',
        [there]: which === 'there',
      })
    },
  )

  it('end when its session is ended from elsewhere, and those of others stay', async ({
    members,
    browsers,
  }) => {
    const ann = await browsers.member()
    const id = await browsers.sessionOf(ann.there)
    const reply = await members.call('DELETE', `/member/sessions/${id}`, { headers: ann.here })
    expect(reply.statusCode).toBe(200)
    expect(await browsers.list(ann.here)).toEqual({ [ann.devices.here]: true })
  })

  it('end with a logout', async ({ members, browsers }) => {
    const ann = await browsers.member()
    await members.call('POST', '/member/logout', { headers: ann.there })
    expect(await browsers.list(ann.here)).toEqual({ [ann.devices.here]: true })
  })

  it('end when all other sessions do, also those of sessions that have expired', async ({
    site,
    members,
    browsers,
  }) => {
    const ann = await browsers.member()
    await addPushDevice(site, ann.memberId)
    await members.call('DELETE', '/member/sessions', { headers: ann.here })
    expect(await browsers.list(ann.here)).toEqual({ [ann.devices.here]: true })
  })

  it('belong to the session that added them last', async ({ members, browsers, db }) => {
    const ann = await browsers.member()
    const subscription = await service.subscribe()
    const moved = await browsers.add(ann.there, subscription)
    expect(await browsers.add(ann.here, subscription)).toBe(moved)
    await members.call('POST', '/member/logout', { headers: ann.there })
    expect(await browsers.list(ann.here)).toEqual({ [ann.devices.here]: true, [moved]: true })
    expect(await db.pushDevice.count({ where: { memberId: ann.memberId } })).toBe(2)
  })

  it('go on when its session expires, until the member ends them', async ({
    site,
    members,
    browsers,
    db,
  }) => {
    const ann = await browsers.member()
    site.clock.pass(15 * 24 * 3_600_000)
    await site.context.removeOld()
    expect(await db.memberSession.count({ where: { memberId: ann.memberId } })).toBe(0)
    const again = members.headersOf(await members.logIn(ann))
    expect(await browsers.list(again)).toEqual({ [ann.devices.here]: false, [ann.devices.there]: false })
    await members.call('DELETE', '/member/sessions', { headers: again })
    expect(await browsers.list(again)).toEqual({})
  })

  it('are not added by a session that ends meanwhile', async ({ site, members, browsers, db }) => {
    const ann = await browsers.member()
    const id = await browsers.sessionOf(ann.there)
    const body = await service.subscribe()
    const reply = await overtake(site, {
      sql: 'DELETE FROM member_session WHERE id = $1',
      values: [id],
      begin: () => members.call('POST', '/member/push-devices', { headers: ann.there, body }),
    })
    expect(refusalOf(reply)).toMatchObject({ status: 401, code: 'login-required' })
    expect(await db.pushDevice.count({ where: { memberId: ann.memberId } })).toBe(1)
  })
})
