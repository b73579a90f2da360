import { planReply } from '@tidings/contracts/membership/plans'
import { appMemberReply, appReply } from '@tidings/contracts/membership/widget-config'
import { siteUnderTest } from '../site-under-test.config.ts'
import { expect, test } from './guest.ts'

const calls = [
  'getApp getAppAndMember getPlan getPlans getCurrentMember',
  'signupMemberEmailPassword loginMemberEmailPassword logout',
  'sendMemberLoginPasswordlessEmail loginMemberPasswordless',
  'sendMemberSignupPasswordlessEmail signupMemberPasswordless',
  'sendMemberResetPasswordEmail resetMemberPassword sendMemberVerificationEmail verifyMemberEmail',
  'updateMember updateMemberAuth setPassword getMemberJSON updateMemberJSON',
  'updateMemberProfileImage deleteMemberProfileImage deleteMember listSessions endSession endOtherSessions getFeed renewFeed deleteFeed getDeliveries pauseDeliveries choosePdfFormat getPushDevices addPushDevice removePushDevice getPhone sendPhoneCode verifyPhone getSuppression liftSuppression exportMember',
  'addPlan removePlan changePlan previewPlanChange getSecureContent',
  'purchasePlansWithCheckout launchStripeCustomerPortal',
  'signupWithProvider loginWithProvider connectProvider disconnectProvider',
  'getChannelInfo subscribeToChannel getPosts createPost updatePost postVote deletePost postIsTyping',
  'getThreads createThread updateThread threadVote deleteThread',
].flatMap((line) => line.split(' '))
const others = ['apiBase', 'getMemberToken', 'getMemberCookie', 'onAuthChange', 'onReady', 'destroy']

test.describe('a page of another origin', () => {
  test('gets the whole client from the script tag', async ({ guest }) => {
    const keys = await guest.page.evaluate(() => Object.keys(Reflect.get(window, '$membership')))
    expect(keys.toSorted()).toEqual([...calls, ...others].toSorted())
  })

  test('can import the client as a module', async ({ guest }) => {
    const appId = await guest.page.evaluate(
      async ([site, publicKey]) => {
        const { createMembershipClient } = await import(`${site}/membership/client.js`)
        const { data } = await createMembershipClient({ apiBase: site, publicKey }).getApp()
        return data.id
      },
      [siteUnderTest.url(), siteUnderTest.publicKey()] as const,
    )
    expect(appId).toMatch(/^app_/)
  })

  test('reads the app with its fields, providers and plans', async ({ guest }) => {
    const { data: app } = await guest.call(appReply, 'getApp', { includeSSOText: true })
    expect(app.customFields.map(({ key }) => key)).toEqual(expect.arrayContaining(['name', 'phone']))
    expect(app.authProviders).toMatchObject([{ provider: 'local', name: 'Tidings ID' }])
    expect(app.plans.filter(({ prices }) => prices.length > 0)).toHaveLength(2)
    for (const plan of app.plans) {
      expect((await guest.call(planReply, 'getPlan', { planId: plan.id })).data).toEqual(plan)
    }
    const { data: plans } = await guest.call({ shape: { data: appReply.shape.data.shape.plans } }, 'getPlans')
    expect(plans).toEqual(app.plans)
  })

  test('gets an error for an unknown plan', async ({ guest }) => {
    await guest.refuse({ code: 'plan-not-found', status: 404 }, 'getPlan', { planId: 'pln_none' })
  })

  test('sees a visitor before the sign-up and the member after it', async ({ guest }) => {
    const before = await guest.call(appMemberReply, 'getAppAndMember', { trackPageView: true })
    expect(before.data.member).toBeNull()
    expect(before.data.sessionData.sessionId).toMatch(/^.{1,26}$/)
    const { email } = await guest.signUp()
    const after = await guest.call(appMemberReply, 'getAppAndMember')
    expect(after.data.member?.auth.email).toBe(email)
    expect(after.data.sessionData).toEqual(before.data.sessionData)
  })

  test('gets a readable error for an unknown public key', async ({ openGuest }) => {
    const guest = await openGuest({ search: '?key=pk_unknown' })
    await guest.refuse({ code: 'app-not-found', status: 404 }, 'getApp')
    const credentials = { email: 'reader@tidings.example', password: 'tidings-reader' }
    await guest.refuse({ code: 'app-not-found', status: 404 }, 'loginMemberEmailPassword', credentials)
  })
})
