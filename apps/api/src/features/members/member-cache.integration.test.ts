import type { Member } from '@tidings/contracts/membership/members'
import sharp from 'sharp'
import { describe, expect, vi } from 'vitest'
import { multipartForm } from '#test/content/multipart.ts'
import { changeApp } from '#test/factories/app-settings.ts'
import { testPlans } from '#test/factories/plans.ts'
import { secondProcess, siteTest } from '#test/fixtures.ts'
import { createTestMembers, type TestMember, type TestMembers } from '#test/membership.ts'
import { terminateListeners } from '#test/other-processes.ts'
import { type TestApp, testNow } from '#test/test-app.ts'
import { waitOptions } from '#test/wait-options.ts'

const it = siteTest()
  .extend('second', { scope: 'file' }, secondProcess())
  .extend('elsewhere', { scope: 'file' }, ({ second }) => createTestMembers(second))
  .extend(
    'change',
    { scope: 'file' },
    ({ members }) =>
      async ({ headers }: TestMember, url: string, body: unknown): Promise<void> => {
        const reply = await members.call('POST', url, { headers, body })
        expect(reply.statusCode, reply.body).toBe(200)
      },
  )
  .extend('uploadImage', { scope: 'file' }, ({ site }) => async ({ headers }: TestMember): Promise<void> => {
    const content = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#a6402b' } })
      .png()
      .toBuffer()
    const form = multipartForm([{ name: 'profileImage', filename: 'me.png', type: 'image/png', content }])
    const reply = await site.app.inject({
      method: 'POST',
      url: '/member/profile-image',
      headers: { ...headers, ...form.headers },
      payload: form.payload,
    })
    expect(reply.statusCode, reply.body).toBe(200)
  })

async function read(process: TestMembers, { headers }: TestMember): Promise<Member> {
  return (await process.call('GET', '/member', { headers })).json().data
}

const { free } = testPlans

type Change = (
  at: {
    site: TestApp
    members: TestMembers
    elsewhere: TestMembers
    change(member: TestMember, url: string, body: unknown): Promise<void>
    uploadImage(member: TestMember): Promise<void>
  },
  member: TestMember,
) => Promise<unknown>

/** Each kind of change, and the field of the member that shows it. */
const changes: [string, Change, (member: Member) => unknown, unknown][] = [
  [
    'custom fields',
    (at, one) => at.change(one, '/member', { customFields: { name: 'Ann', combinestatus: true } }),
    ({ customFields }) => customFields,
    expect.objectContaining({ name: 'Ann', combinestatus: true }),
  ],
  ['JSON', (at, one) => at.change(one, '/member/json', { json: { a: 1 } }), ({ json }) => json, { a: 1 }],
  [
    'an added plan',
    (at, one) => at.change(one, '/member/plans/add', { planId: free }),
    ({ planConnections }) => planConnections.map(({ planId, planName }) => [planId, planName]),
    [[free, 'Free']],
  ],
  [
    'a removed plan',
    async (at, one) => {
      await at.change(one, '/member/plans/add', { planId: free })
      await read(at.elsewhere, one)
      await at.change(one, '/member/plans/remove', { planId: free })
    },
    ({ planConnections }) => planConnections,
    [],
  ],
  [
    'another address',
    (at, one) => at.change(one, '/member-auth', { email: `new-${one.email}` }),
    ({ auth }) => auth.email,
    expect.stringMatching(/^new-member-/),
  ],
  [
    'a profile image',
    (at, one) => at.uploadImage(one),
    ({ profileImage }) => profileImage,
    expect.stringContaining('/profile-images/'),
  ],
  [
    'a removed profile image',
    async (at, one) => {
      await at.uploadImage(one)
      await read(at.elsewhere, one)
      await at.members.call('DELETE', '/member/profile-image', { headers: one.headers })
    },
    ({ profileImage }) => profileImage,
    null,
  ],
  [
    'another login',
    async (at, one) => {
      at.site.clock.pass(60_000)
      await at.members.logIn(one)
    },
    ({ lastLogin }) => Date.parse(lastLogin ?? '') > testNow.getTime(),
    true,
  ],
]

describe('GET /member from the cache', () => {
  it.for(changes)(
    'returns %s, at once on this process and soon on another',
    async ([_name, make, pick, expected], { site, members, elsewhere, change, uploadImage }) => {
      const member = await members.signUp()
      for (const process of [members, elsewhere])
        expect((await read(process, member)).id).toBe(member.memberId)
      await make({ site, members, elsewhere, change, uploadImage }, member)
      expect(pick(await read(members, member))).toEqual(expected)
      await vi.waitFor(async () => expect(pick(await read(elsewhere, member))).toEqual(expected), waitOptions)
    },
  )

  it("returns changes of the app's configuration", async ({ site, members, elsewhere }) => {
    const member = await members.signUp({ plans: [{ planId: free }] })
    const nameOf = async (process: TestMembers) => (await read(process, member)).planConnections[0]?.planName
    for (const process of [members, elsewhere]) expect(await nameOf(process)).toBe('Free')
    const plans = (await site.context.apps.siteApp()).plans
    await changeApp(site, {
      loginRedirect: 'https://www.example.com/welcome',
      plans: plans.map((plan) =>
        plan.id === free ? { ...plan, name: 'Free for all', permissions: ['read'] } : plan,
      ),
    })
    const expected = {
      loginRedirect: 'https://www.example.com/welcome',
      permissions: ['read'],
      planConnections: [expect.objectContaining({ planName: 'Free for all' })],
    }
    expect(await read(members, member)).toMatchObject(expected)
    await vi.waitFor(async () => expect(await read(elsewhere, member)).toMatchObject(expected), waitOptions)
    await changeApp(site, { loginRedirect: null, plans })
  })

  it('returns the same bytes while nothing changes', async ({ members }) => {
    const { headers } = await members.signUp({ customFields: { name: 'Ünï ☃' } })
    const first = await members.call('GET', '/member', { headers })
    const second = await members.call('GET', '/member', { headers })
    expect(second.body).toBe(first.body)
    expect(second.json().data.customFields.name).toBe('Ünï ☃')
    expect(second.headers['cache-control']).toBe('no-store')
    expect(second.headers['content-type']).toBe('application/json; charset=utf-8')
  })

  it('reads the database while a process receives no notifications', async ({
    site,
    members,
    second,
    elsewhere,
  }) => {
    const member = await members.signUp()
    for (const process of [members, elsewhere]) await read(process, member)
    await terminateListeners(site)
    await vi.waitFor(() => expect(second.context.notifications.isListening()).toBe(false), waitOptions)
    // Changed directly in the database, without a notification.
    await site.context.database.db.member.update({
      where: { id: member.memberId },
      data: { customFields: { name: 'Changed' } },
    })
    expect((await read(elsewhere, member)).customFields).toEqual({ name: 'Changed' })
    await vi.waitFor(() => {
      for (const { context } of [site, second]) expect(context.notifications.isListening()).toBe(true)
    }, waitOptions)
    for (const process of [members, elsewhere]) {
      expect((await read(process, member)).customFields).toEqual({ name: 'Changed' })
    }
  })
})
