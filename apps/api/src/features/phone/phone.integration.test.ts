import { expect, test } from 'vitest'
import { createTestMembers, type TestMember } from '#test/membership.ts'
import { startPhones } from '#test/sms/phones.ts'
import { startTestApp, type TestApp, testNow } from '#test/test-app.ts'
import { createTestDatabase } from '#test/test-database.ts'

const it = test
  .extend('callbacks', { scope: 'file' }, {})
  .extend('phones', { scope: 'file' }, async ({ callbacks }, { onCleanup }) => {
    const phones = await startPhones(callbacks)
    onCleanup(() => phones.stop())
    return phones
  })
  .extend('site', { scope: 'file' }, async ({ phones }, { onCleanup }) => {
    const env = {
      ...phones.env,
      PHONE_REGION: 'DE',
      RATE_NETWORK_PHONE_CODES_PER_HOUR: '4',
      // These tests leave many codes unused.
      SMS_UNVERIFIED_PER_HOUR: '1000',
    }
    const site = await startTestApp({ databaseUrl: await createTestDatabase(), env, working: false })
    onCleanup(() => site.close())
    return site
  })
  .extend('members', { scope: 'file' }, ({ site }) => createTestMembers(site))

const none = { obstacle: null }

it.beforeEach(async ({ phones, site }) => {
  site.clock.moveTo(testNow)
  await phones.setFaults({})
})

type Members = ReturnType<typeof createTestMembers>

let made = 0

/** Returns a verified member with a new number, and the member's calls from a network of its own. */
async function withNumber({ members, site }: { members: Members; site: TestApp }, given?: string) {
  made += 1
  const typed = given ?? `0151 2345${String(1000 + made)}`
  const member = await members.signUp({ customFields: { phone: typed } })
  await site.context.database.db.member.update({ where: { id: member.memberId }, data: { verified: true } })
  return { typed, number: `+49${typed.replaceAll(/\D/g, '').slice(1)}`, ...callsOf(members, member) }
}

function callsOf(members: Members, { headers, memberId }: TestMember) {
  const from = `10.0.0.${made}`
  const post = (path: string, body?: object) =>
    members.call('POST', `/member/phone/${path}`, { headers, from, body: body ?? {} })
  return {
    memberId,
    headers,
    post,
    requestCode: (network = from) =>
      members.call('POST', '/member/phone/verification', { headers, from: network }),
    verify: (code: string, timeZone?: string) => post('verify', { code, timeZone }),
    read: async () => (await members.call('GET', '/member/phone', { headers })).json().data,
    write: (phone: string) => members.call('POST', '/member', { headers, body: { customFields: { phone } } }),
  }
}

function codeIn(text = ''): string {
  return /^\d{6}/.exec(text)?.[0] ?? ''
}

it('a texted code verifies the number once and records the consent', async ({ members, phones, site }) => {
  const { number, memberId, requestCode, verify, read, headers } = await withNumber({ members, site })
  expect(await read()).toEqual({ ...none, number, state: 'unverified' })

  expect((await requestCode()).statusCode).toBe(200)

  const [text] = await phones.textsTo(number)
  expect(text).toMatch(/^\d{6} is your Tidings code\. .*\n\n@localhost #\d{6}$/s)
  const reply = await verify(codeIn(text), 'Europe/Berlin')
  expect(reply.json().data).toEqual({ ...none, number, state: 'verified' })
  expect(await read()).toEqual({ ...none, number, state: 'verified' })
  expect((await verify(codeIn(text))).json().error.code).toBe('invalid-verification-code')

  const row = await site.context.database.db.memberPhone.findUniqueOrThrow({ where: { memberId } })
  expect(row).toMatchObject({ number, timeZone: 'Europe/Berlin', codeHash: null, consentAt: testNow })
  expect(row.consentText).toContain('Reply STOP')
  const exported = await members.call('GET', '/member/export', { headers })
  expect(exported.json().data.phones).toMatchObject([{ number, consentText: row.consentText }])
})

it.for([
  (text: string) => `\u202a+49 (0)${text.slice(1, 4)}\u00a0${text.slice(5)}\u202c`,
  (text: string) => text.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
  (text: string) => text.replace(' ', '\u2011').replace(/$/, '\ufeff'),
  (text: string) => `tel:${text.replaceAll(' ', '\u2212')}`,
])(
  'a pasted number is stored as sent and verified by a pasted code',
  async (paste, { members, phones, site }) => {
    made += 1
    const typed = `0151 2345${String(1000 + made)}`
    const { requestCode, verify, read, write, headers } = await withNumber({ members, site })
    await write(paste(typed))
    const number = `+49${typed.replaceAll(/\D/g, '').slice(1)}`
    expect(await read()).toEqual({ ...none, number, state: 'unverified' })
    await requestCode()
    const code = codeIn((await phones.textsTo(number))[0])
    await verify(`\u2068${code.slice(0, 3)}\u2011${code.slice(3)}\u2069`)
    expect(await read()).toEqual({ ...none, number, state: 'verified' })
    const { data } = (await members.call('GET', '/member', { headers })).json()
    expect(data.customFields.phone).toBe(paste(typed))
  },
)

it('a number that changes is unverified, and its code void', async ({ members, phones, site }) => {
  const { number, requestCode, verify, read, write } = await withNumber({ members, site })
  await requestCode()
  const code = codeIn((await phones.textsTo(number))[0])
  await write('0151 99999999')
  expect((await verify(code)).json().error.code).toBe('invalid-verification-code')

  await requestCode()
  await verify(codeIn((await phones.textsTo('+4915199999999'))[0]))
  expect((await read()).state).toBe('verified')
  await write('0151 88888888')
  expect(await read()).toEqual({ ...none, number: '+4915188888888', state: 'unverified' })
})

it('the same number in other digits is verified without another text', async ({ members, phones, site }) => {
  const { number, requestCode, verify, read, write } = await withNumber({ members, site })
  await requestCode()
  await verify(codeIn((await phones.textsTo(number))[0]))
  await write(number)
  expect((await read()).state).toBe('unverified')
  expect((await requestCode()).json().data.state).toBe('verified')
  expect(await phones.textsTo(number)).toHaveLength(1)
})

it('a number that two members share is verified for each', async ({ members, phones, site }) => {
  const first = await withNumber({ members, site })
  const second = await withNumber({ members, site }, first.typed)
  for (const { requestCode, verify } of [first, second]) {
    await requestCode()
    await verify(codeIn((await phones.textsTo(first.number))[0]))
  }
  expect((await first.read()).state).toBe('verified')
  expect((await second.read()).state).toBe('verified')
})

it('a code ends after ten minutes, after five tries and with the next code', async ({
  members,
  phones,
  site,
}) => {
  const { number, requestCode, verify } = await withNumber({ members, site })
  const codes = async () => (await phones.textsTo(number)).map(codeIn)
  const refusal = 'invalid-verification-code'
  await requestCode()
  site.clock.pass(601_000)
  const [expired = ''] = await codes()
  expect((await verify(expired)).json().error.code).toBe(refusal)
  await requestCode()
  const [newest = ''] = await codes()
  expect((await verify(expired)).json().error.code).toBe(refusal)
  for (let tried = 1; tried < 5; tried += 1) await verify('000000')
  expect((await verify(newest)).json().error.code).toBe(refusal)
})

it('codes are limited for each network', async ({ members, site }) => {
  for (const _ of [1, 2, 3, 4]) {
    const { requestCode } = await withNumber({ members, site })
    expect((await requestCode('10.0.9.1')).statusCode).toBe(200)
  }
  const last = await withNumber({ members, site })
  const reply = await last.requestCode('10.0.9.1')
  expect([reply.statusCode, reply.json().error.code]).toEqual([429, 'too-many-requests'])
})

it('the export has why a verified number gets no texts', async ({ members, phones, site }) => {
  const { number, typed, headers, requestCode, verify } = await withNumber({ members, site })
  await requestCode()
  await verify(codeIn((await phones.textsTo(number))[0]))
  const stranger = await withNumber({ members, site }, typed)
  await stranger.requestCode()
  const refusal = { kind: 'complaint', reason: '21610', suppressedAt: testNow } as const
  await site.context.database.db.suppression.create({ data: { address: number, ...refusal } })

  const suppressionsOf = async (headers: TestMember['headers']) =>
    (await members.call('GET', '/member/export', { headers })).json().data.suppressions
  expect(await suppressionsOf(headers)).toMatchObject([{ kind: 'complaint', reason: '21610' }])
  expect(await suppressionsOf(stranger.headers)).toEqual([])
})

it('a number that gets no texts is refused with the reason', async ({ members, phones, site }) => {
  const { number, requestCode, verify } = await withNumber({ members, site })
  await phones.setFaults({ landline: [number] })
  const refused = await requestCode()
  expect([refused.statusCode, refused.json().error.code]).toEqual([400, 'phone-refused'])
  expect((await verify('123456')).statusCode).toBe(400)
  await phones.setFaults({})
  await phones.reply(number, 'STOP')
  expect((await requestCode()).json().error.message).toContain('replied STOP')
})

it('a rate limit of Twilio is temporary, and a failure may have sent the code', async ({
  members,
  phones,
  site,
}) => {
  const { number, requestCode, verify } = await withNumber({ members, site })
  await phones.setFaults({ rateLimitEvery: 1 })
  expect((await requestCode()).statusCode).toBe(503)
  await phones.setFaults({ failAcceptedEvery: 1 })
  expect((await requestCode()).statusCode).toBe(200)
  expect((await verify(codeIn((await phones.textsTo(number))[0]))).statusCode).toBe(200)
})

it.for([
  ['', { number: null, state: 'missing' }],
  ['call me', { number: null, state: 'invalid' }],
] as const)('the phone field "%s" is not texted', async ([phone, expected], { members, site }) => {
  const { read, requestCode } = await withNumber({ members, site }, phone)
  expect(await read()).toEqual({ ...none, ...expected })
  expect((await requestCode()).json().error.code).toBe('invalid-phone')
})

it('the calls need a session', async ({ members }) => {
  expect((await members.call('GET', '/member/phone')).statusCode).toBe(401)
  expect((await members.call('POST', '/member/phone/verification')).statusCode).toBe(401)
  const body = { code: '123456' }
  expect((await members.call('POST', '/member/phone/verify', { body })).statusCode).toBe(401)
})
