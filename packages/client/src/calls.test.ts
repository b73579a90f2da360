import {
  disconnectProviderReply,
  disconnectProviderRequest,
  doneReply,
  loginRequest,
  logoutReply,
  passwordlessLoginRequest,
  resetPasswordRequest,
  sendCodeRequest,
  sessionReply,
  setPasswordRequest,
  signupRequest,
  updateAuthRequest,
  verifyEmailRequest,
} from '@tidings/contracts/auth'
import {
  planChangeByPriceReply,
  planChangeByPriceRequest,
  planChangePreviewReply,
} from '@tidings/contracts/billing'
import {
  channelInfoReply,
  commentDoneReply,
  createPostRequest,
  createThreadRequest,
  deletedCommentReply,
  manageSubscriptionRequest,
  postReply,
  postsReply,
  threadReply,
  threadsReply,
  typingRequest,
  updateCommentRequest,
  voteRequest,
} from '@tidings/contracts/comments'
import {
  deletedMemberReply,
  endedSessionReply,
  memberExportReply,
  memberJsonReply,
  memberJsonRequest,
  memberWithMessageReply,
  profileImageReply,
  sessionsReply,
  updateMemberRequest,
} from '@tidings/contracts/members'
import { planChangeReply, planReply, planRequest } from '@tidings/contracts/plans'
import { secureContentReply, secureContentRequest } from '@tidings/contracts/secure-content'
import { appMemberReply, appMemberRequest, appReply } from '@tidings/contracts/widget-config'
import { describe, expect, it } from 'vitest'
import type { MembershipClient, Reply } from './index.ts'
import { answer, type ReplySchema, refused, reply } from './testing/fake-api.ts'
import { loggedInClient } from './testing/test-client.ts'
import {
  wireApp,
  wireMember,
  wirePlan,
  wirePlanChange,
  wirePost,
  wireSession,
} from './testing/wire-samples.ts'

type Row = {
  act: (client: MembershipClient) => Promise<Reply<unknown>>
  line: string
  /** What is sent, and the contract that it has to pass; neither for a call without a body. */
  sent?: { body: object; schema?: { parse: (body: unknown) => unknown } }
  /** What the server answers. */
  schema: ReplySchema
  data: unknown
  message?: string
}

const email = 'ada@example.com'
const done = { success: true }
const saved = { schema: memberWithMessageReply, data: wireMember({ verified: true }), message: 'Saved.' }
const session = {
  schema: sessionReply,
  data: wireSession('token-of-bea', { id: 'mem_bea' }),
  message: 'Hello.',
}
const mailed = { schema: doneReply, data: done, message: 'We have sent a code.' }
const plans = [{ planId: 'pln_free' }]
const origin_domain = 'https://reader.example'

const rows: Record<string, Row> = {
  getApp: { act: (client) => client.getApp(), line: 'GET /app', schema: appReply, data: wireApp() },
  'getApp with the sign-on texts': {
    act: (client) => client.getApp({ includeSSOText: true }),
    line: 'GET /app?includeSSOText=true',
    schema: appReply,
    data: wireApp(),
  },
  getAppAndMember: {
    act: (client) => client.getAppAndMember({ trackPageView: true }),
    line: 'POST /app-member',
    sent: { body: { data: { trackPageView: true, sessionData: {} } }, schema: appMemberRequest },
    schema: appMemberReply,
    data: { app: wireApp(), member: wireMember(), sessionData: { sessionId: 'visit-1' } },
  },
  getPlan: {
    act: (client) => client.getPlan({ planId: 'pln_free' }),
    line: 'GET /app/plans/pln_free',
    schema: planReply,
    data: wirePlan,
  },
  signupMemberEmailPassword: {
    act: (client) =>
      client.signupMemberEmailPassword({
        email,
        password: 'a password',
        customFields: { name: 'Ada' },
        metaData: { from: 'mail' },
        plans,
        captchaToken: 'solved',
        rewardfulData: { referral: 'ref-1' },
      }),
    line: 'POST /auth/signup',
    sent: {
      body: {
        email,
        password: 'a password',
        customFields: { name: 'Ada' },
        metaData: { from: 'mail' },
        plans,
        captchaToken: 'solved',
        rewardfulData: { referral: 'ref-1' },
        origin_domain,
      },
      schema: signupRequest,
    },
    ...session,
  },
  loginMemberEmailPassword: {
    act: (client) => client.loginMemberEmailPassword({ email, password: 'a password' }),
    line: 'POST /auth/login',
    sent: { body: { email, password: 'a password' }, schema: loginRequest },
    ...session,
  },
  sendMemberLoginPasswordlessEmail: {
    act: (client) => client.sendMemberLoginPasswordlessEmail({ email }),
    line: 'POST /auth/passwordless/login/send',
    sent: { body: { email }, schema: sendCodeRequest },
    ...mailed,
  },
  loginMemberPasswordless: {
    act: (client) => client.loginMemberPasswordless({ email, passwordlessToken: '123456' }),
    line: 'POST /auth/passwordless/login',
    sent: { body: { email, passwordlessToken: '123456' }, schema: passwordlessLoginRequest },
    ...session,
  },
  sendMemberSignupPasswordlessEmail: {
    act: (client) => client.sendMemberSignupPasswordlessEmail({ email }),
    line: 'POST /auth/passwordless/signup/send',
    sent: { body: { email }, schema: sendCodeRequest },
    ...mailed,
  },
  signupMemberPasswordless: {
    act: (client) => client.signupMemberPasswordless({ email, passwordlessToken: '123456', plans }),
    line: 'POST /auth/signup?isPasswordless=true',
    sent: { body: { email, passwordlessToken: '123456', plans, origin_domain }, schema: signupRequest },
    ...session,
  },
  sendMemberResetPasswordEmail: {
    act: (client) => client.sendMemberResetPasswordEmail({ email }),
    line: 'POST /auth/send-reset-password-email',
    sent: { body: { email }, schema: sendCodeRequest },
    ...mailed,
  },
  resetMemberPassword: {
    act: (client) => client.resetMemberPassword({ token: '123456', newPassword: 'another one' }),
    line: 'POST /auth/reset-password',
    sent: { body: { token: '123456', newPassword: 'another one' }, schema: resetPasswordRequest },
    schema: doneReply,
    data: done,
    message: 'Your password has been reset.',
  },
  'resetMemberPassword bound to an address': {
    act: (client) => client.resetMemberPassword({ token: '123456', newPassword: 'another one', email }),
    line: 'POST /auth/reset-password',
    sent: { body: { token: '123456', newPassword: 'another one', email }, schema: resetPasswordRequest },
    schema: doneReply,
    data: done,
    message: 'Your password has been reset.',
  },
  sendMemberVerificationEmail: {
    act: (client) => client.sendMemberVerificationEmail(),
    line: 'POST /auth/send-email-verification',
    sent: { body: { origin_domain } },
    ...mailed,
  },
  verifyMemberEmail: {
    act: (client) => client.verifyMemberEmail({ email, code: '123456' }),
    line: 'POST /auth/verify-email',
    sent: { body: { email, code: '123456' }, schema: verifyEmailRequest },
    schema: doneReply,
    data: done,
    message: 'Your address is verified.',
  },
  updateMember: {
    act: (client) => client.updateMember({ customFields: { name: 'Ada L.' } }),
    line: 'POST /member',
    sent: { body: { customFields: { name: 'Ada L.' } }, schema: updateMemberRequest },
    ...saved,
  },
  'updateMemberAuth for the address': {
    act: (client) => client.updateMemberAuth({ email: 'new@example.com' }),
    line: 'POST /member-auth',
    sent: { body: { email: 'new@example.com' }, schema: updateAuthRequest },
    ...saved,
  },
  'updateMemberAuth for the password': {
    act: (client) => client.updateMemberAuth({ oldPassword: 'old one', newPassword: 'new one' }),
    line: 'POST /member-auth',
    sent: { body: { oldPassword: 'old one', newPassword: 'new one' }, schema: updateAuthRequest },
    ...saved,
  },
  setPassword: {
    act: (client) => client.setPassword({ password: 'a password' }),
    line: 'POST /member/set-password',
    sent: { body: { password: 'a password' }, schema: setPasswordRequest },
    ...saved,
  },
  getMemberJSON: {
    act: (client) => client.getMemberJSON(),
    line: 'GET /member/json',
    schema: memberJsonReply,
    data: { read: ['11-20-26-10AM'] },
  },
  updateMemberJSON: {
    act: (client) => client.updateMemberJSON({ json: { read: [] } }),
    line: 'POST /member/json',
    sent: { body: { json: { read: [] } }, schema: memberJsonRequest },
    schema: memberJsonReply,
    data: { read: [] },
  },
  deleteMemberProfileImage: {
    act: (client) => client.deleteMemberProfileImage(),
    line: 'DELETE /member/profile-image',
    schema: profileImageReply,
    data: { profileImage: null },
    message: 'The picture is removed.',
  },
  'updateMemberProfileImage with null': {
    act: (client) => client.updateMemberProfileImage({ profileImage: null }),
    line: 'DELETE /member/profile-image',
    schema: profileImageReply,
    data: { profileImage: null },
    message: 'The picture is removed.',
  },
  deleteMember: {
    act: (client) => client.deleteMember(),
    line: 'DELETE /member',
    schema: deletedMemberReply,
    data: { id: 'mem_ada' },
  },
  listSessions: {
    act: (client) => client.listSessions(),
    line: 'GET /member/sessions',
    schema: sessionsReply,
    data: [
      {
        id: '0199a1f4-1111-7abc-8def-0123456789ab',
        createdAt: '2026-11-20T18:00:00.000Z',
        lastUsedAt: '2026-11-20T18:00:00.000Z',
        expiresAt: '2026-12-04T18:00:00.000Z',
        userAgent: 'A browser',
        current: true,
      },
    ],
  },
  endSession: {
    act: (client) => client.endSession({ sessionId: '0199a1f4-1111-7abc-8def-0123456789ab' }),
    line: 'DELETE /member/sessions/0199a1f4-1111-7abc-8def-0123456789ab',
    schema: endedSessionReply,
    data: { id: '0199a1f4-1111-7abc-8def-0123456789ab' },
  },
  exportMember: {
    act: (client) => client.exportMember(),
    line: 'GET /member/export',
    schema: memberExportReply,
    data: {
      exportedAt: '2026-11-20T18:00:00.000Z',
      member: wireMember(),
      termsAcceptedAt: '2026-11-20T18:00:00.000Z',
      termsOrigin: origin_domain,
      identities: [],
      sessions: [],
      comments: { posts: [], threads: [], postVotes: [], threadVotes: [], subscriptions: [] },
    },
  },
  addPlan: {
    act: (client) => client.addPlan({ planId: 'pln_free' }),
    line: 'POST /member/plans/add',
    sent: { body: { planId: 'pln_free' }, schema: planRequest },
    schema: planChangeReply,
    data: { member: wireMember() },
  },
  removePlan: {
    act: (client) => client.removePlan({ planId: 'pln_free' }),
    line: 'POST /member/plans/remove',
    sent: { body: { planId: 'pln_free' }, schema: planRequest },
    schema: planChangeReply,
    data: { member: wireMember() },
  },
  changePlan: {
    act: (client) => client.changePlan({ priceId: 'prc_yearly' }),
    line: 'POST /member/plans/change',
    sent: { body: { priceId: 'prc_yearly' }, schema: planChangeByPriceRequest },
    schema: planChangeByPriceReply,
    data: { member: wireMember(), change: wirePlanChange },
    message: 'Yearly has begun.',
  },
  previewPlanChange: {
    act: (client) => client.previewPlanChange({ priceId: 'prc_yearly' }),
    line: 'POST /member/plans/change/preview',
    sent: { body: { priceId: 'prc_yearly' }, schema: planChangeByPriceRequest },
    schema: planChangePreviewReply,
    data: wirePlanChange,
    message: 'Yearly begins at once.',
  },
  disconnectProvider: {
    act: (client) => client.disconnectProvider({ provider: 'google' }),
    line: 'POST /member/disconnect-provider',
    sent: { body: { provider: 'google' }, schema: disconnectProviderRequest },
    schema: disconnectProviderReply,
    data: { providers: [] },
    message: 'Google is disconnected.',
  },
  logout: {
    act: (client) => client.logout(),
    line: 'POST /member/logout',
    schema: logoutReply,
    data: { redirect: null },
    message: 'You have logged out.',
  },
  getSecureContent: {
    act: (client) => client.getSecureContent({ contentId: 'members-welcome' }),
    line: 'POST /secure-content',
    sent: { body: { contentId: 'members-welcome' }, schema: secureContentRequest },
    schema: secureContentReply,
    data: { content: '<p>Welcome.</p>', type: 'HTML' },
  },
  getChannelInfo: {
    act: (client) => client.getChannelInfo({ channelKey: 'memo & more' }),
    line: 'GET /comments/channels/info?channelKey=memo+%26+more',
    schema: channelInfoReply,
    data: { channelKey: 'memo & more', totalCount: 0, subscription: 'NONE' },
  },
  subscribeToChannel: {
    act: (client) => client.subscribeToChannel({ channelKey: 'memo', action: 'THREADS_ONLY' }),
    line: 'POST /comments/channels/manage-subscription',
    sent: { body: { channelKey: 'memo', action: 'THREADS_ONLY' }, schema: manageSubscriptionRequest },
    schema: commentDoneReply,
    data: done,
  },
  getPosts: {
    act: (client) => client.getPosts({ channelKey: 'memo', after: '7', order: 'oldest', limit: 10 }),
    line: 'GET /comments/posts?channelKey=memo&after=7&order=oldest&limit=10',
    schema: postsReply,
    data: { posts: [wirePost], totalCount: 1 },
  },
  'getPosts from the first on': {
    act: (client) => client.getPosts({ channelKey: 'memo' }),
    line: 'GET /comments/posts?channelKey=memo',
    schema: postsReply,
    data: { posts: [], totalCount: 0 },
  },
  getThreads: {
    act: (client) => client.getThreads({ postId: 'cmt_1', after: '7', order: 'newest', limit: 10 }),
    line: 'GET /comments/threads?postId=cmt_1&after=7&order=newest&limit=10',
    schema: threadsReply,
    data: { threads: [] },
  },
  createPost: {
    act: (client) => client.createPost({ channelKey: 'memo', content: 'Well said.' }),
    line: 'POST /comments/posts',
    sent: { body: { channelKey: 'memo', content: 'Well said.' }, schema: createPostRequest },
    schema: postReply,
    data: wirePost,
  },
  updatePost: {
    act: (client) => client.updatePost({ postId: 'cmt_1', content: 'Well put.' }),
    line: 'PATCH /comments/posts/cmt_1/update',
    sent: { body: { content: 'Well put.' }, schema: updateCommentRequest },
    schema: postReply,
    data: wirePost,
  },
  postVote: {
    act: (client) => client.postVote({ postId: 'cmt_1', vote: 'UP' }),
    line: 'POST /comments/posts/cmt_1/vote',
    sent: { body: { vote: 'UP' }, schema: voteRequest },
    schema: commentDoneReply,
    data: done,
  },
  deletePost: {
    act: (client) => client.deletePost({ postId: 'cmt_1' }),
    line: 'DELETE /comments/posts/cmt_1',
    schema: deletedCommentReply,
    data: { id: 'cmt_1' },
  },
  createThread: {
    act: (client) => client.createThread({ postId: 'cmt_1', content: 'Indeed.' }),
    line: 'POST /comments/threads',
    sent: { body: { postId: 'cmt_1', content: 'Indeed.' }, schema: createThreadRequest },
    schema: threadReply,
    data: { ...wirePost, _count: { Threads: 0, likedBy: 0 } },
  },
  updateThread: {
    act: (client) => client.updateThread({ threadId: 'cmt_2', content: 'Quite.' }),
    line: 'PATCH /comments/threads/cmt_2/update',
    sent: { body: { content: 'Quite.' }, schema: updateCommentRequest },
    schema: threadReply,
    data: { ...wirePost, _count: { Threads: 0, likedBy: 0 } },
  },
  threadVote: {
    act: (client) => client.threadVote({ threadId: 'cmt_2', vote: 'NONE' }),
    line: 'POST /comments/threads/cmt_2/vote',
    sent: { body: { vote: 'NONE' }, schema: voteRequest },
    schema: commentDoneReply,
    data: done,
  },
  deleteThread: {
    act: (client) => client.deleteThread({ threadId: 'cmt_2' }),
    line: 'DELETE /comments/threads/cmt_2',
    schema: deletedCommentReply,
    data: { id: 'cmt_2' },
  },
  postIsTyping: {
    act: (client) => client.postIsTyping({ channelKey: 'memo' }),
    line: 'POST /comments/posts/typing',
    sent: { body: { channelKey: 'memo' }, schema: typingRequest },
    schema: commentDoneReply,
    data: done,
  },
}

describe.each(Object.entries(rows))('%s', (_, { act, line, sent, schema, data, message }) => {
  it('sends what the protocol asks for, and answers data and message', async () => {
    const client = await loggedInClient()
    const calls = answer(reply(schema, data, message))
    const answered = await act(client)
    expect(calls.map((call) => call.line)).toEqual([line])
    expect(calls[0]?.body).toEqual(sent?.body ?? null)
    expect(() => sent?.schema?.parse(calls[0]?.body)).not.toThrow()
    expect(calls[0]?.headers.get('authorization')).toBe('Bearer token-of-ada')
    expect(answered).toEqual(message === undefined ? { data } : { data, message })
  })

  it('rejects with the server’s refusal', async () => {
    const client = await loggedInClient()
    answer(refused(403, 'access-denied', 'That is not for you.'))
    await expect(act(client)).rejects.toMatchObject({
      name: 'MembershipError',
      code: 'access-denied',
      message: 'That is not for you.',
      status: 403,
    })
    expect(client.getMemberToken()).toBe('token-of-ada')
  })
})

describe('getPlans', () => {
  it('answers the plans of the app', async () => {
    const client = await loggedInClient()
    const calls = answer(reply(appReply, wireApp()))
    expect(await client.getPlans()).toEqual({ data: [wirePlan] })
    expect(calls.map(({ line }) => line)).toEqual(['GET /app'])
  })

  it('rejects with the server’s refusal', async () => {
    const client = await loggedInClient()
    answer(refused(400, 'app-not-found', 'There is no such app.'))
    await expect(client.getPlans()).rejects.toMatchObject({ code: 'app-not-found', status: 400 })
  })
})
