import type { MemberSession } from '@tidings/contracts/membership/auth'
import type { PlanChangeTerms } from '@tidings/contracts/membership/billing'
import type { CommentPost } from '@tidings/contracts/membership/comments'
import type { Member } from '@tidings/contracts/membership/members'
import type { Plan } from '@tidings/contracts/membership/plans'
import type { MembershipAppReply } from '@tidings/contracts/membership/widget-config'

/** Returns a member on the wire, by default with every field. */
export function wireMember(member: Partial<Member> = {}): Member {
  return {
    id: 'mem_ada',
    verified: false,
    createdAt: '2026-11-20T18:00:00.000Z',
    lastLogin: null,
    auth: { email: 'ada@example.com', hasPassword: true, providers: [] },
    customFields: { name: 'Ada' },
    metaData: {},
    json: null,
    permissions: [],
    planConnections: [],
    profileImage: null,
    stripeCustomerId: null,
    loginRedirect: null,
    teams: { joinedTeams: [], ownedTeams: [] },
    ...member,
  }
}

/** Returns the session of a login reply, which expires in the year 2100. */
export function wireSession(accessToken = 'token-of-ada', member: Partial<Member> = {}): MemberSession {
  return {
    tokens: { accessToken, expires: 4_102_444_800_000, type: 'bearer' },
    member: wireMember(member),
    redirect: null,
  }
}

/** A plan on the wire: free, without prices. */
export const wirePlan: Plan = {
  id: 'pln_free',
  name: 'Free',
  description: null,
  status: 'ACTIVE',
  priority: null,
  isPaid: false,
  prices: [],
}

/** An upgrade from a month to a year, on the wire. */
export const wirePlanChange: PlanChangeTerms = {
  from: {
    planId: 'pln_monthly',
    planName: 'Monthly',
    priceId: 'prc_monthly',
    amount: 9,
    currency: 'usd',
    interval: 'MONTHLY',
  },
  to: {
    planId: 'pln_yearly',
    planName: 'Yearly',
    priceId: 'prc_yearly',
    amount: 90,
    currency: 'usd',
    interval: 'YEARLY',
  },
  effective: 'now',
  effectiveAt: '2026-11-20T18:00:00.000Z',
  amountDue: 85.5,
  currency: 'usd',
  proratedAt: '2026-11-20T18:00:00.000Z',
  renewalAmount: 90,
  regularAmount: 90,
  renewal: {
    interval: 'YEARLY',
    taxBehavior: null,
    amounts: [{ from: '2027-11-20T18:00:00.000Z', amount: 90, tax: 0 }],
  },
}

/** Returns the app's configuration on the wire. */
export function wireApp(): MembershipAppReply {
  return {
    id: 'app_news',
    name: 'Tidings',
    mode: 'live',
    isPaid: true,
    branding: { logo: null, colors: { lightMode: { primaryButton: 'rgb(41, 98, 255)' } } },
    customFields: [],
    authProviders: [],
    additionalAuthMethods: { passwordless: { enabled: true, isDefault: false } },
    allowMemberSelfDelete: true,
    captchaRequired: false,
    captcha: null,
    ssoSignupButtonURL: null,
    plans: [wirePlan],
    contentGroups: [],
    translations: {},
  }
}

/** A post on the wire, which serves for a thread too. */
export const wirePost: CommentPost = {
  id: 'cmt_1',
  internalOrder: '7',
  createdAt: '2026-11-20T18:00:00.000Z',
  content: '<p>Well said.</p>',
  member: { id: 'mem_ada', customFields: { name: 'Ada' }, profileImage: null },
  vote: 'NONE',
  _count: { Threads: 0, likedBy: 1, dislikedBy: 0 },
}
