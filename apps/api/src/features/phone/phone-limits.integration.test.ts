import { expect, test } from 'vitest'
import { verifyNumber } from '#test/factories/recipients.ts'
import { createTestMembers, type TestMember } from '#test/membership.ts'
import { startPhones } from '#test/sms/phones.ts'
import { startTestApp, testNow, useTestApp } from '#test/test-app.ts'
import { createTestDatabase } from '#test/test-database.ts'

const it = test
  .extend('callbacks', { scope: 'file' }, {})
  .extend('phones', { scope: 'file' }, async ({ callbacks }, { onCleanup }) => {
    const phones = await startPhones(callbacks)
    onCleanup(() => phones.stop())
    return phones
  })
  .extend('env', { scope: 'file' }, ({ phones }) => ({ ...phones.env, SMS_COUNTRIES: 'US,CA' }))
  .extend('databaseUrl', { scope: 'file' }, () => createTestDatabase())
  .extend('site', { scope: 'file' }, async ({ env, databaseUrl }, { onCleanup }) => {
    const site = await startTestApp({ databaseUrl, env, working: false })
    onCleanup(() => site.close())
    return site
  })
  .extend('second', { scope: 'file' }, async ({ env, databaseUrl }, { onCleanup }) => {
    const second = await startTestApp({ databaseUrl, env, working: false })
    onCleanup(() => second.close())
    return second
  })
  .extend('members', { scope: 'file' }, ({ site }) => createTestMembers(site))
  .extend('elsewhere', { scope: 'file' }, ({ second }) => createTestMembers(second))
  /** Signs up members with a number; their addresses are verified. */
  .extend('signUp', { scope: 'file' }, ({ members, site }) => async (phone: string, isVerified = true) => {
    const member = await members.signUp({ customFields: { phone } })
    const { memberId: id } = member
    await site.context.database.db.member.update({ where: { id }, data: { verified: isVerified } })
    return member
  })

let made = 0
const freshNumber = () => {
  made += 1
  return `+1213374${1_000 + made}`
}

it.beforeEach(async ({ phones, site }) => {
  site.clock.moveTo(testNow)
  await site.context.database.db.limitedText.deleteMany()
  await phones.setFaults({})
})

/** Requests a code from a network of its own. */
async function requestCode({ call }: ReturnType<typeof createTestMembers>, { headers }: TestMember) {
  made += 1
  const from = `10.${Math.floor(made / 200)}.0.${made % 200}`
  const reply = await call('POST', '/member/phone/verification', { headers, from })
  const { error } = reply.json()
  return { status: reply.statusCode, code: error?.code, message: error?.message }
}

it('twenty accounts get three codes for one number together, at two processes at once', async ({
  members,
  elsewhere,
  phones,
  signUp,
}) => {
  const number = freshNumber()
  const accounts = await Promise.all(Array.from({ length: 20 }, () => signUp(number)))
  const replies = await Promise.all(
    accounts.map((account, index) => requestCode(index % 2 === 0 ? members : elsewhere, account)),
  )
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(3)
  expect(replies.filter(({ code }) => code === 'too-many-requests')).toHaveLength(17)
  expect(await phones.textsTo(number)).toHaveLength(3)
})

it('an account gets ten codes a day, whatever it writes into its field', async ({ members, signUp }) => {
  const account = await signUp(freshNumber())
  const statuses: number[] = []
  for (let each = 0; each < 11; each += 1) {
    const body = { customFields: { phone: freshNumber() } }
    await members.call('POST', '/member', { headers: account.headers, body })
    statuses.push((await requestCode(members, account)).status)
  }
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429])
})

it('a refused code counts for number and account, and one that Twilio did not take counts for neither', async ({
  members,
  phones,
  signUp,
}) => {
  const number = freshNumber()
  const account = await signUp(number)
  await phones.setFaults({ rateLimitEvery: 1 })
  for (const _ of [1, 2, 3, 4]) expect((await requestCode(members, account)).code).toBe('service-unavailable')
  await phones.setFaults({ landline: [number] })
  for (const _ of [1, 2, 3]) expect((await requestCode(members, account)).code).toBe('phone-refused')
  expect((await requestCode(members, account)).code).toBe('too-many-requests')
})

it('a code needs a verified address, and the reply says so', async ({ members, phones, signUp, site }) => {
  const number = freshNumber()
  const account = await signUp(number, false)
  const { data } = (await members.call('GET', '/member/phone', { headers: account.headers })).json()
  expect(data).toEqual({ number, state: 'unverified', obstacle: 'email-not-verified' })

  expect(await requestCode(members, account)).toEqual({
    status: 403,
    code: 'email-not-verified',
    message:
      'Confirm your email address first: enter the code that we emailed you. Then we can text you a code.',
  })

  expect(await phones.textsTo(number)).toEqual([])
  const { db } = site.context.database
  await db.member.update({ where: { id: account.memberId }, data: { verified: true } })
  expect((await requestCode(members, account)).status).toBe(200)
})

it.for([
  ['+1 (876) 210-1234', '+18762101234', 'country-not-served'],
  ['876 210 1234', '+18762101234', 'country-not-served'],
  ['\u202a+49 (0)151\u00a023456789\u202c', '+4915123456789', 'country-not-served'],
  ['+881 6 1234 5678', '+881612345678', 'country-not-served'],
  ['800 234 5678', '+18002345678', 'not-mobile'],
  ['1-900-234-5678', '+19002345678', 'not-mobile'],
] as const)(
  '%s is stored as sent, and not texted: %s',
  async ([typed, number, code], { members, phones, signUp }) => {
    const account = await signUp(typed)
    const { headers } = account
    const { data } = (await members.call('GET', '/member', { headers })).json()
    expect(data.customFields.phone).toBe(typed)
    const phone = (await members.call('GET', '/member/phone', { headers })).json().data
    expect(phone).toEqual({ number, state: 'unverified', obstacle: code })

    const refusal = await requestCode(members, account)

    expect(refusal).toMatchObject({ status: 400, code })
    expect(refusal.message).toContain('Use a mobile number from: Canada and United States.')
    expect(await phones.textsTo(number)).toEqual([])
  },
)

it('a number that was verified before stays verified, until the member changes it', async ({
  members,
  signUp,
  site,
}) => {
  const number = '+4915123456780'
  const account = await signUp(number)
  const { headers, memberId } = account
  await verifyNumber(site, memberId, { number })
  const read = async () => (await members.call('GET', '/member/phone', { headers })).json().data
  const kept = { number, state: 'verified', obstacle: 'country-not-served' }
  expect(await read()).toEqual(kept)

  const write = (phone: string) =>
    members.call('POST', '/member', { headers, body: { customFields: { phone } } })
  await write('+49 151 23456780')
  expect((await requestCode(members, account)).status).toBe(200)
  expect(await read()).toEqual(kept)
  await write('+4915123456781')
  expect((await requestCode(members, account)).code).toBe('country-not-served')
})

it('without Twilio, everything is as before', async () => {
  const site = await useTestApp({ working: false })
  const members = createTestMembers(site)
  const number = '+4915123456782'
  const account = await members.signUp({ customFields: { phone: number } })
  const { data } = (await members.call('GET', '/member/phone', { headers: account.headers })).json()
  expect(data).toEqual({ number, state: 'unverified', obstacle: null })
  for (const _ of [1, 2, 3, 4]) {
    expect(await requestCode(members, account)).toMatchObject({ status: 503, code: 'service-unavailable' })
  }
})

it('new accounts that leave their codes unused stop codes to new accounts, and entered ones do not', async ({
  phones,
}) => {
  const site = await useTestApp({ working: false, env: { ...phones.env, SMS_UNVERIFIED_PER_HOUR: '4' } })
  const members = createTestMembers(site)
  const { db } = site.context.database
  const newAccount = async () => {
    const number = freshNumber()
    const member = await members.signUp({ customFields: { phone: number } })
    await db.member.update({ where: { id: member.memberId }, data: { verified: true } })
    return { ...member, number }
  }
  for (let each = 0; each < 8; each += 1) {
    const { headers, number, ...rest } = await newAccount()
    expect((await requestCode(members, { headers, ...rest })).status).toBe(200)
    const code = /\d{6}/.exec((await phones.textsTo(number))[0] ?? '')?.[0]
    const verified = await members.call('POST', '/member/phone/verify', { headers, body: { code } })
    expect(verified.statusCode).toBe(200)
  }
  const codes: string[] = []
  for (let each = 0; each < 7; each += 1) {
    codes.push((await requestCode(members, await newAccount())).code ?? 'sent')
  }
  expect(codes).toEqual([
    'sent',
    'sent',
    'sent',
    'sent',
    'sent',
    'phone-codes-stopped',
    'phone-codes-stopped',
  ])
})
