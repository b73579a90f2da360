import { messages } from '@tidings/contracts/membership/messages'
import { describe, expect } from 'vitest'
import { expectRefusal, freshAddress, it } from '../testing/guest.ts'
import { about, codeTo, mailTo, otherThan } from '../testing/inbox.ts'

describe('an account', () => {
  it('is created with a password, custom fields and metadata, and is read again', async ({ guest }) => {
    const { email, member } = await guest.signUp({
      customFields: { name: 'Gil' },
      metaData: { from: 'guest' },
    })
    expect(member).toMatchObject({
      verified: false,
      customFields: { name: 'Gil' },
      metaData: { from: 'guest' },
    })
    expect((await guest.member())?.auth).toEqual({ email, hasPassword: true, providers: [] })
    expect((await guest.client.getCurrentMember({ useCache: true })).data?.id).toBe(member.id)
  })

  it('accepts a login with its password only, and a logout', async ({ guest }) => {
    const { email, password } = await guest.signUp()
    const left = await guest.client.logout()
    expect(left.message).toMatch(/\w/)
    expect(await guest.member()).toBeNull()
    const wrong = guest.client.loginMemberEmailPassword({ email, password: 'another password' })
    await expectRefusal(wrong, { code: 'invalid-credentials', status: 401 })
    const entered = await guest.client.loginMemberEmailPassword({ email, password })
    expect(entered.message).toBe(messages.loggedIn)
    expect(guest.changes).toEqual([email, null, email])
  })

  it('accepts a login with an emailed code, once', async ({ guest }) => {
    const { email } = await guest.signUp()
    await guest.client.logout()
    await guest.client.sendMemberLoginPasswordlessEmail({ email })
    const code = await codeTo(email, about.login)
    const enter = (passwordlessToken: string) =>
      guest.client.loginMemberPasswordless({ email, passwordlessToken })
    const refusal = { code: 'invalid-passwordless-login-code', status: 400 }
    await expectRefusal(enter(otherThan(code)), refusal)
    const { data } = await enter(code)
    expect(data.member).toMatchObject({ verified: true, auth: { email } })
    await expectRefusal(enter(code), refusal)
  })

  it('is created with an emailed code and gets a password later', async ({ guest }) => {
    const email = freshAddress()
    await guest.client.sendMemberSignupPasswordlessEmail({ email })
    const code = await codeTo(email, about.signup)
    const signUp = (passwordlessToken: string) =>
      guest.client.signupMemberPasswordless({ email, passwordlessToken, customFields: { name: 'Pia' } })
    await expectRefusal(signUp(otherThan(code)), { code: 'invalid-passwordless-login-code', status: 400 })
    const { data } = await signUp(code)
    expect(data.member).toMatchObject({ verified: true, customFields: { name: 'Pia' } })
    expect(data.member.auth.hasPassword).toBe(false)

    const password = 'a first password'
    const given = await guest.client.setPassword({ password })
    expect(given.data.auth.hasPassword).toBe(true)
    expect(given.message).toMatch(/\w/)
    await guest.client.logout()
    await guest.client.loginMemberEmailPassword({ email, password })
  })

  it('gets a new password with an emailed code, which ends all its sessions', async ({ guest }) => {
    const { email } = await guest.signUp()
    await guest.client.sendMemberResetPasswordEmail({ email })
    const token = await codeTo(email, about.reset)
    const newPassword = 'a newer password'
    const wrong = guest.client.resetMemberPassword({ token: otherThan(token), newPassword, email })
    await expectRefusal(wrong, { code: 'invalid-reset-code', status: 400 })
    const done = await guest.client.resetMemberPassword({ token, newPassword })
    expect(done.message).toMatch(/\w/)
    expect(await guest.member()).toBeNull()
    await guest.client.loginMemberEmailPassword({ email, password: newPassword })
  })

  it('is verified with an emailed code', async ({ guest }) => {
    const { email } = await guest.signUp()
    await mailTo(email, about.verification)
    await guest.client.sendMemberVerificationEmail()
    const code = await codeTo(email, about.verification, 2)
    const wrong = guest.client.verifyMemberEmail({ email, code: otherThan(code) })
    await expectRefusal(wrong, { code: 'invalid-verification-code', status: 400 })
    await guest.client.verifyMemberEmail({ email, code })
    expect((await guest.member())?.verified).toBe(true)
  })

  it('changes its password with the old one and stays logged in', async ({ guest }) => {
    const { email, password } = await guest.signUp()
    const newPassword = 'a newer password'
    const wrong = guest.client.updateMemberAuth({ oldPassword: newPassword, newPassword })
    await expectRefusal(wrong, { code: 'invalid-credentials', status: 400 })
    const changed = await guest.client.updateMemberAuth({ oldPassword: password, newPassword })
    expect(changed.message).toMatch(/\w/)
    expect((await guest.member())?.auth.email).toBe(email)
    await mailTo(email, about.newPassword)
  })

  it('changes its address and notifies the old one', async ({ guest }) => {
    const other = await guest.signUp()
    const { email } = await guest.signUp()
    const taken = guest.client.updateMemberAuth({ email: other.email })
    await expectRefusal(taken, { code: 'email-already-in-use', status: 409 })
    const newAddress = freshAddress()
    const changed = await guest.client.updateMemberAuth({ email: newAddress })
    expect(changed.data).toMatchObject({ verified: false, auth: { email: newAddress } })
    await mailTo(email, about.newAddress)
    expect(guest.changes).toEqual([other.email, email, newAddress])
  })
})
