import { doneReply, logoutReply, sessionReply } from '@tidings/contracts/membership/auth'
import { currentMemberReply, memberWithMessageReply } from '@tidings/contracts/membership/members'
import { messages } from '@tidings/contracts/membership/messages'
import { expect, freshAddress, test } from './guest.ts'
import { about, codeTo, mailTo, otherThan } from './inbox.ts'

test.describe('an account, on a page of another origin', () => {
  test('is created with a password, and its session survives a reload', async ({ guest }) => {
    const { email, member } = await guest.signUp({
      customFields: { name: 'Gil' },
      metaData: { from: 'guest' },
    })
    expect(member).toMatchObject({
      verified: false,
      customFields: { name: 'Gil' },
      metaData: { from: 'guest' },
    })
    await guest.page.reload()
    const { data } = await guest.call(currentMemberReply, 'getCurrentMember')
    expect(data?.auth).toEqual({ email, hasPassword: true, providers: [] })
    const cached = await guest.call(currentMemberReply, 'getCurrentMember', { useCache: true })
    expect(cached.data?.id).toBe(member.id)
  })

  test('is not created from invalid or incomplete data', async ({ guest }) => {
    const { email, password } = await guest.signUp()
    const signUp = 'signupMemberEmailPassword'
    await guest.refuse({ code: 'email-already-in-use', status: 409 }, signUp, { email, password })
    await guest.refuse({ code: 'invalid-email', status: 400 }, signUp, { email: 'invalid', password })
    const short = { email: freshAddress(), password: 'short' }
    await guest.refuse({ code: 'invalid-password-too-short', status: 400 }, signUp, short)
    await guest.refuse({ code: 'required-field-missing', status: 400 }, signUp, { email: freshAddress() })
  })

  test('accepts a login with its password only, and a logout', async ({ guest }) => {
    const { email, password } = await guest.signUp()
    const left = await guest.call(logoutReply, 'logout')
    expect(left.message).toMatch(/\w/)
    expect((await guest.call(currentMemberReply, 'getCurrentMember')).data).toBeNull()
    const wrong = { email, password: 'another password' }
    await guest.refuse({ code: 'invalid-credentials', status: 401 }, 'loginMemberEmailPassword', wrong)
    const unknown = { email: freshAddress(), password }
    await guest.refuse({ code: 'invalid-credentials', status: 401 }, 'loginMemberEmailPassword', unknown)
    const entered = await guest.call(sessionReply, 'loginMemberEmailPassword', { email, password })
    expect(entered.message).toBe(messages.loggedIn)
    expect(await guest.changes()).toEqual([email, null, email])
  })

  test('accepts a login with an emailed code, once', async ({ guest }) => {
    const { email } = await guest.signUp()
    await guest.call(logoutReply, 'logout')
    await guest.call(doneReply, 'sendMemberLoginPasswordlessEmail', { email })
    const code = await codeTo(email, about.login)
    const enter = 'loginMemberPasswordless'
    const refusal = { code: 'invalid-passwordless-login-code', status: 400 } as const
    await guest.refuse(refusal, enter, { email, passwordlessToken: otherThan(code) })
    const { data } = await guest.call(sessionReply, enter, { email, passwordlessToken: code })
    expect(data.member).toMatchObject({ verified: true, auth: { email } })
    await guest.refuse(refusal, enter, { email, passwordlessToken: code })
  })

  test('is created with an emailed code and gets a password later', async ({ guest }) => {
    const email = freshAddress()
    await guest.call(doneReply, 'sendMemberSignupPasswordlessEmail', { email })
    const code = await codeTo(email, about.signup)
    const refusal = { code: 'invalid-passwordless-login-code', status: 400 } as const
    const wrong = { email, passwordlessToken: otherThan(code) }
    await guest.refuse(refusal, 'signupMemberPasswordless', wrong)
    const { data } = await guest.call(sessionReply, 'signupMemberPasswordless', {
      email,
      passwordlessToken: code,
      customFields: { name: 'Pia' },
    })
    expect(data.member).toMatchObject({ verified: true, customFields: { name: 'Pia' } })
    expect(data.member.auth.hasPassword).toBe(false)

    const short = { password: 'short' }
    await guest.refuse({ code: 'invalid-password-too-short', status: 400 }, 'setPassword', short)
    const password = 'a first password'
    const given = await guest.call(memberWithMessageReply, 'setPassword', { password })
    expect(given.data.auth.hasPassword).toBe(true)
    expect(given.message).toMatch(/\w/)
    await guest.call(logoutReply, 'logout')
    await guest.call(sessionReply, 'loginMemberEmailPassword', { email, password })
  })

  test('gets a new password with an emailed code, which ends all its sessions', async ({ guest }) => {
    const { email } = await guest.signUp()
    await guest.call(doneReply, 'sendMemberResetPasswordEmail', { email })
    const token = await codeTo(email, about.reset)
    const newPassword = 'a newer password'
    const reset = 'resetMemberPassword'
    const wrong = { token: otherThan(token), newPassword, email }
    await guest.refuse({ code: 'invalid-reset-code', status: 400 }, reset, wrong)
    const done = await guest.call(doneReply, reset, { token, newPassword })
    expect(done.message).toMatch(/\w/)
    expect((await guest.call(currentMemberReply, 'getCurrentMember')).data).toBeNull()
    await guest.call(sessionReply, 'loginMemberEmailPassword', { email, password: newPassword })
  })

  test('is verified with an emailed code', async ({ guest }) => {
    const { email } = await guest.signUp()
    await mailTo(email, about.verification)
    await guest.call(doneReply, 'sendMemberVerificationEmail')
    const code = await codeTo(email, about.verification, 2)
    const refusal = { code: 'invalid-verification-code', status: 400 } as const
    await guest.refuse(refusal, 'verifyMemberEmail', { email, code: otherThan(code) })
    await guest.call(doneReply, 'verifyMemberEmail', { email, code })
    const { data } = await guest.call(currentMemberReply, 'getCurrentMember')
    expect(data?.verified).toBe(true)
  })

  test('changes its password with the old one and stays logged in', async ({ guest }) => {
    const { email, password } = await guest.signUp()
    const newPassword = 'a newer password'
    const wrong = { oldPassword: newPassword, newPassword }
    await guest.refuse({ code: 'invalid-credentials', status: 400 }, 'updateMemberAuth', wrong)
    const change = { oldPassword: password, newPassword }
    const changed = await guest.call(memberWithMessageReply, 'updateMemberAuth', change)
    expect(changed.message).toMatch(/\w/)
    expect((await guest.call(currentMemberReply, 'getCurrentMember')).data?.auth.email).toBe(email)
    await mailTo(email, about.newPassword)
  })

  test('changes its address and notifies the old one', async ({ guest }) => {
    const other = await guest.signUp()
    const { email } = await guest.signUp()
    const taken = { email: other.email }
    await guest.refuse({ code: 'email-already-in-use', status: 409 }, 'updateMemberAuth', taken)
    const newAddress = freshAddress()
    const changed = await guest.call(memberWithMessageReply, 'updateMemberAuth', { email: newAddress })
    expect(changed.data).toMatchObject({ verified: false, auth: { email: newAddress } })
    await mailTo(email, about.newAddress)
    expect(await guest.changes()).toEqual([other.email, email, newAddress])
  })

  test('requires a session for protected calls', async ({ guest }) => {
    const refusal = { code: 'login-required', status: 401 } as const
    await guest.refuse(refusal, 'sendMemberVerificationEmail')
    await guest.refuse(refusal, 'updateMemberAuth', { email: freshAddress() })
    await guest.refuse(refusal, 'setPassword', { password: 'a first password' })
  })
})
