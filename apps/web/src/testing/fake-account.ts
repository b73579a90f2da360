import { wirePlanChange } from '@tidings/client/testing/wire-samples'
import {
  sendEmailVerification,
  setPassword,
  updateAuth,
  verifyEmail,
} from '@tidings/contracts/membership/auth'
import {
  changePlan,
  openBillingPortal,
  type PlanChangeTerms,
  previewPlanChange,
} from '@tidings/contracts/membership/billing'
import {
  deleteMember,
  endOtherSessions,
  endSession,
  exportMember,
  listSessions,
  type sessionsReply,
} from '@tidings/contracts/membership/members'
import { errorResponse, fake } from './fake.ts'
import { done, type FakeMembership } from './fake-membership.ts'

type WireSession = ReturnType<typeof sessionsReply.parse>['data'][number]

/** The data of the account calls beside the account itself. */
export type FakeAccount = {
  sessions: WireSession[]
  terms: PlanChangeTerms
  /** The bodies of the plan changes. */
  planChanges: unknown[]
  /** Where the browser returns from the billing portal. */
  portalReturns: string[]
  isDeleted: boolean
}

export const portalPage = 'https://billing.example/portal'

const phoneBrowser =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1'
const deskBrowser =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

/** Returns a session on the wire. */
export function wireLogin(session: Partial<WireSession> & { id: string }): WireSession {
  return {
    createdAt: '2026-11-18T18:00:00.000Z',
    lastUsedAt: '2026-11-18T18:00:00.000Z',
    expiresAt: '2026-12-02T18:00:00.000Z',
    userAgent: deskBrowser,
    current: false,
    ...session,
  }
}

/** Returns what an account has beside itself: two sessions, and the terms of an upgrade. */
export function fakeAccount(account: Partial<FakeAccount> = {}): FakeAccount {
  return {
    sessions: [
      wireLogin({ id: '00000000-0000-4000-8000-000000000002' }),
      wireLogin({ id: '00000000-0000-4000-8000-000000000001', userAgent: phoneBrowser, current: true }),
    ],
    terms: {
      ...wirePlanChange,
      to: { ...wirePlanChange.to, priceId: 'prc_yearly-plan-test' },
    },
    planChanges: [],
    portalReturns: [],
    isDeleted: false,
    ...account,
  }
}

/** Returns the handlers of the calls about an account. */
export function accountHandlers(membership: FakeMembership, account: FakeAccount) {
  const changed = (message: string) => ({ data: membership.member, _internalUseOnly: { message } })

  return [
    fake(updateAuth, ({ body: { email, oldPassword, newPassword } }) => {
      if (email != null) {
        membership.member = {
          ...membership.member,
          auth: { ...membership.member.auth, email },
          verified: false,
        }
      }
      if (newPassword != null) {
        if (newPassword.length < 8)
          return errorResponse(400, 'invalid-password-too-short', 'Minimum 8 characters required')
        if (oldPassword !== membership.password)
          return errorResponse(
            400,
            'invalid-credentials',
            'Your password is incorrect. Check it and try again.',
          )
        membership.password = newPassword
      }
      return changed('Your changes are saved.')
    }),
    fake(setPassword, ({ body: { password } }) => {
      membership.password = password
      membership.member.auth = { ...membership.member.auth, hasPassword: true }
      return changed('Your password is set.')
    }),
    fake(sendEmailVerification, () => done('Sent.')),
    fake(verifyEmail, ({ body: { code } }) => {
      if (code !== '123456')
        return errorResponse(
          400,
          'invalid-verification-code',
          'This code is wrong or expired. Request a new one.',
        )
      membership.member.verified = true
      return done('Verified.')
    }),
    fake(listSessions, () => ({ data: account.sessions })),
    fake(endSession, ({ params }) => {
      account.sessions = account.sessions.filter(({ id }) => id !== params.id)
      return { data: { id: params.id } }
    }),
    fake(endOtherSessions, () => {
      const ended = account.sessions.length - 1
      account.sessions = account.sessions.filter(({ current }) => current)
      return { data: { ended } }
    }),
    fake(exportMember, () => ({
      data: {
        exportedAt: '2026-11-20T20:00:00.000Z',
        member: membership.member,
        termsAcceptedAt: '2026-11-20T18:00:00.000Z',
        termsOrigin: 'http://localhost:3000/',
        pausedUntil: null,
        pdfFormat: 'phone' as const,
        identities: [],
        sessions: [],
        phones: [],
        feeds: [],
        deliveries: [],
        suppressions: [],
        pushDevices: [],
        comments: { posts: [], threads: [], postVotes: [], threadVotes: [], reports: [], subscriptions: [] },
      },
    })),
    fake(deleteMember, () => {
      account.isDeleted = true
      return { data: { id: membership.member.id } }
    }),
    fake(openBillingPortal, ({ body }) => {
      account.portalReturns.push(String(body?.return_url))
      return { data: { url: portalPage } }
    }),
    fake(previewPlanChange, () => ({ data: account.terms, _internalUseOnly: { message: 'A preview.' } })),
    fake(changePlan, ({ body }) => {
      account.planChanges.push(body)
      const data = { member: membership.member, change: account.terms }
      const message = 'Yearly has started. You paid $85.50 today. It renews for $90.00 a year.'
      return { data, _internalUseOnly: { message } }
    }),
  ]
}
