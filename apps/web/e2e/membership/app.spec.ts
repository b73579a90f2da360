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
  'getChannelInfo subscribeToChannel getPosts createPost updatePost postVote deletePost reportPost postIsTyping',
  'getThreads createThread updateThread threadVote deleteThread reportThread',
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
})
