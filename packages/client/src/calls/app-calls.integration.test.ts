import { describe, expect } from 'vitest'
import { createGuest, expectRefusal, it } from '../testing/guest.ts'

describe('a visitor', () => {
  it('reads the app with its fields, providers and plans', async ({ guest: { client } }) => {
    const { data: app } = await client.getApp({ includeSSOText: true })
    expect(app.customFields.map(({ key }) => key)).toEqual(expect.arrayContaining(['name', 'phone']))
    expect(app.authProviders).toMatchObject([{ provider: 'local', name: 'Tidings ID' }])
    expect(app.plans.filter(({ prices }) => prices.length > 0)).toHaveLength(2)
    for (const plan of app.plans) expect((await client.getPlan({ planId: plan.id })).data).toEqual(plan)
    expect((await client.getPlans()).data).toEqual(app.plans)
  })

  it('gets an error for an unknown plan', async ({ guest: { client } }) => {
    await expectRefusal(client.getPlan({ planId: 'pln_none' }), { code: 'plan-not-found', status: 404 })
  })

  it('sees no member before the sign-up and the member after it, in one visit', async ({ guest }) => {
    const before = await guest.client.getAppAndMember({ trackPageView: true })
    expect(before.data.member).toBeNull()
    expect(before.data.sessionData.sessionId).toMatch(/^.{1,26}$/)
    const { email } = await guest.signUp()
    const after = await guest.client.getAppAndMember()
    expect(after.data.member?.auth.email).toBe(email)
    expect(after.data.sessionData).toEqual(before.data.sessionData)
  })

  it('gets an error for an unknown public key', async () => {
    const { client } = createGuest({ publicKey: 'pk_unknown' })
    const refusal = { code: 'app-not-found', status: 404 }
    await expectRefusal(client.getApp(), refusal)
    const credentials = { email: 'reader@tidings.example', password: 'tidings-reader' }
    await expectRefusal(client.loginMemberEmailPassword(credentials), refusal)
  })
})
