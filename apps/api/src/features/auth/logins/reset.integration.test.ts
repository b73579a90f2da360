import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { addPushDevice } from '#test/factories/recipients.ts'
import { mailTest } from '#test/fixtures.ts'
import { newPassword, otherCode } from '#test/sign-in/code-flows.ts'

const it = mailTest().extend('reset', { scope: 'file' }, ({ flows }) => (body: Record<string, unknown>) => {
  return flows.members.call('POST', '/auth/reset-password', { body })
})

describe('POST /auth/send-reset-password-email', () => {
  it('emails a code to a member in any spelling of the address', async ({ flows, inbox }) => {
    const { email } = await flows.memberOf('ann.lee@example.com')
    const reply = await flows.ask('reset', ' ANN.Lee@Example.COM ')
    expect(reply.json()).toMatchObject({ data: { success: true } })
    expect(reply.json()._internalUseOnly.message).toMatch(/^If this address/)
    expect(reply.headers['cache-control']).toBe('no-store')
    expect((await inbox.mailTo(email, 'Your password reset code')).text).not.toContain('http')
  })

  it.for([
    ['a header', { email: 'a@example.com\r\nBcc: b@example.com' }, 'invalid-email'],
    ['no body', undefined, 'required-field-missing'],
  ] as const)('refuses %s', async ([_name, body, code], { flows }) => {
    const reply = await flows.members.call('POST', '/auth/send-reset-password-email', { body })
    expect(refusalOf(reply)).toMatchObject({ status: 400, code })
  })
})

describe('POST /auth/reset-password', () => {
  it('sets the new password and refuses the old one', async ({ flows }) => {
    const { email, password } = await flows.memberOf('bea@example.com')
    const reply = await flows.use('reset', email, await flows.code('reset', email))
    expect(reply.json()).toMatchObject({
      data: { success: true },
      _internalUseOnly: { message: 'You can log in with your new password now.' },
    })
    const old = await flows.members.call('POST', '/auth/login', { body: { email, password } })
    expect(refusalOf(old)).toMatchObject({ status: 401, code: 'invalid-credentials' })
    const session = await flows.members.logIn({ email, password: newPassword })
    expect(session.member.verified).toBe(true)
  })

  it('ends every session at once', async ({ flows }) => {
    const { email, headers } = await flows.memberOf('cy@example.com')
    const other = flows.members.headersOf(await flows.members.logIn({ email }))
    await flows.use('reset', email, await flows.code('reset', email))
    for (const ended of [headers, other]) {
      const member = await flows.members.call('GET', '/member', { headers: ended })
      expect(member.json()).toEqual({ data: null })
      const list = await flows.members.call('GET', '/member/sessions', { headers: ended })
      expect(refusalOf(list)).toMatchObject({ status: 401, code: 'client/invalid-token' })
    }
  })

  it('ends the notifications of every browser', async ({ site, flows }) => {
    const { email, memberId } = await flows.memberOf('ina@example.com')
    const { db } = site.context.database
    await db.member.update({ where: { id: memberId }, data: { verified: true } })
    await addPushDevice(site, memberId)
    const { id: sessionId } = await db.memberSession.findFirstOrThrow({ where: { memberId } })
    await db.pushDevice.updateMany({ where: { memberId }, data: { sessionId } })
    const keys = { p256dh: 'key', auth: 'secret' }
    await addPushDevice(site, memberId, { endpoint: 'https://push.example.com/expired', keys })
    await flows.use('reset', email, await flows.code('reset', email))
    expect(await db.pushDevice.count({ where: { memberId } })).toBe(0)
  })

  it('emails the member', async ({ site, flows, inbox }) => {
    const { email, memberId } = await flows.memberOf('dan@example.com')
    const { db } = site.context.database
    await db.member.update({ where: { id: memberId }, data: { verified: true } })
    await flows.use('reset', email, await flows.code('reset', email))
    const changeEmail = await inbox.mailTo(email, 'Your password was changed')
    expect(changeEmail.text).toContain('/#/resetpassword')
    expect(changeEmail.text).not.toContain(newPassword)
  })

  it('sets a password on an account without one', async ({ flows, inbox }) => {
    const email = 'eve@example.com'
    await flows.use('signup', email, await flows.code('signup', email))
    await flows.ask('reset', email)
    const mail = await inbox.mailTo(email, 'Your password reset code')
    expect((await flows.use('reset', email, mail.subject.slice(0, 6))).statusCode).toBe(200)
    const session = await flows.members.logIn({ email, password: newPassword })
    expect(session.member.auth.hasPassword).toBe(true)
  })

  it.for([
    ['removes the providers of an unverified account', false, []],
    ['keeps the providers of a verified account', true, [{ provider: 'local' }]],
  ] as const)('%s', async ([_what, verified, providers], { site, flows }) => {
    const email = `connected-${verified}@example.com`
    const { memberId } = await flows.memberOf(email)
    const { db } = site.context.database
    const appId = site.context.config.site.appId
    await db.member.update({ where: { id: memberId }, data: { verified } })
    await db.memberIdentity.create({
      data: { appId, provider: 'local', subject: `of-${memberId}`, memberId },
    })
    await flows.use('reset', email, await flows.code('reset', email))
    const { member } = await flows.members.logIn({ email, password: newPassword })
    expect(member).toMatchObject({ verified: true, auth: { providers } })
  })

  it('refuses the code after the account changed its address', async ({ flows }) => {
    const { email, headers } = await flows.memberOf('finn@example.com')
    const code = await flows.code('reset', email)
    await flows.members.call('POST', '/member-auth', { headers, body: { email: 'finn.2@example.com' } })
    const refusal = refusalOf(await flows.use('reset', email, code))
    expect(refusal).toMatchObject({ status: 400, code: 'invalid-reset-code' })
  })

  it.for([
    ['a short password', { newPassword: '1234567' }, 'invalid-password-too-short'],
    ['a malformed address', { email: 'gil' }, 'invalid-email'],
    ['a code that is not text', { token: 123_456 }, 'invalid-request'],
  ] as const)('refuses %s without counting a try', async ([name, change, code], { flows, reset }) => {
    const email = `gil-${name.replaceAll(' ', '-')}@example.com`
    await flows.memberOf(email)
    const token = await flows.code('reset', email)
    for (let tries = 0; tries < 6; tries += 1) {
      const reply = await reset({ token, newPassword, email, ...change })
      expect(refusalOf(reply)).toMatchObject({ status: 400, code })
    }
    expect((await reset({ token, newPassword, email })).statusCode).toBe(200)
  })

  it('refuses an unknown address like a wrong code', async ({ flows, reset }) => {
    const { email } = await flows.memberOf('hal@example.com')
    const code = await flows.code('reset', email)
    const replies = await Promise.all([
      reset({ token: otherCode(code), newPassword, email }),
      reset({ token: otherCode(code), newPassword, email: 'unknown@example.com' }),
      reset({ token: otherCode(code), newPassword }),
    ])
    expect(new Set(replies.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1)
  })
})
