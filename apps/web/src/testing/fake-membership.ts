import { wireApp, wireMember, wireSession } from '@tidings/client/testing/wire-samples'
import { login, logout, resetPassword, sendResetEmail, signUp } from '@tidings/contracts/membership/auth'
import { startCheckout } from '@tidings/contracts/membership/billing'
import { getCommentChannel } from '@tidings/contracts/membership/comments'
import {
  getMemberDeliveries,
  type MemberDeliveries,
  updateMemberDeliveries,
} from '@tidings/contracts/membership/deliveries'
import { getMemberFeed } from '@tidings/contracts/membership/member-feed'
import {
  endSuppression,
  getMember,
  getSuppression,
  type Member,
  type PlanConnection,
  updateMember,
} from '@tidings/contracts/membership/members'
import { messages } from '@tidings/contracts/membership/messages'
import { getPhone, type Phone, sendPhoneCode, verifyPhone } from '@tidings/contracts/membership/phone'
import type { Plan } from '@tidings/contracts/membership/plans'
import { getApp } from '@tidings/contracts/membership/widget-config'
import { errorResponse, fake } from './fake.ts'
import {
  endSessionDevices,
  type FakeNotifications,
  fakeNotifications,
  notificationHandlers,
} from './fake-notifications.ts'

/** One account at the membership service, and the session of the browser under test. */
export type FakeMembership = {
  member: Member
  password: string
  /** Whether the account exists; sign-up creates it. */
  hasAccount: boolean
  hasSession: boolean
  plans: Plan[]
  resetCode: string
  /** The reason why no editions are emailed. */
  suppression: { kind: 'bounce' | 'complaint'; since: string } | null
  deliveries: MemberDeliveries
  notifications: FakeNotifications
  /** The member's number; the code that verifies it is 123456. */
  phone: Phone
  /** The price and the return addresses of each checkout. */
  checkouts: { priceId: string; successUrl: string; cancelUrl: string }[]
}

const priceChanged =
  'The price has changed since you saw it. You weren’t charged. Check the new price and continue.'
const priceWithdrawn =
  'This price is no longer available. You weren’t charged. Choose one of the current plans.'

export const checkoutPage = 'https://checkout.example/pay'

const token = 'token-of-ada'

/** Returns a paid plan on the wire. */
export function wirePaidPlan(kind: 'monthly' | 'yearly', amount: number): Plan {
  const price = {
    id: `prc_${kind}-plan-test`,
    name: null,
    amount,
    currency: 'usd',
    type: 'SUBSCRIPTION',
    interval: { type: kind === 'monthly' ? 'MONTHLY' : 'YEARLY', count: 1 },
    active: true,
    status: 'ACTIVE',
  } as const
  const name = kind === 'monthly' ? 'Monthly' : 'Yearly'
  return {
    id: `pln_${kind}-test`,
    name,
    description: null,
    status: 'ACTIVE',
    priority: null,
    isPaid: true,
    prices: [price],
  }
}

/** Returns the connection of a member to a paid plan. */
export function wirePlanConnection(kind: 'monthly' | 'yearly', amount = 9): PlanConnection {
  const plan = wirePaidPlan(kind, amount)
  return {
    id: `con_${kind}`,
    planId: plan.id,
    planName: plan.name,
    active: true,
    status: 'ACTIVE',
    type: 'SUBSCRIPTION',
    payment: {
      priceId: `prc_${kind}-plan-test`,
      amount,
      currency: 'usd',
      interval: kind === 'monthly' ? 'MONTHLY' : 'YEARLY',
      status: 'PAID',
      lastBillingDate: '2026-11-01T18:00:00.000Z',
      nextBillingDate: '2026-12-01T18:00:00.000Z',
      cancelAtDate: null,
      renewal: {
        interval: kind === 'monthly' ? 'MONTHLY' : 'YEARLY',
        taxBehavior: null,
        amounts: [{ from: '2026-12-01T18:00:00.000Z', amount, tax: 0 }],
      },
    },
  }
}

/** Returns a membership service with the account of Ada, who is not logged in and has no plan. */
export function fakeMembership(membership: Partial<FakeMembership> = {}): FakeMembership {
  return {
    member: wireMember(),
    password: 'a long password',
    hasAccount: true,
    hasSession: false,
    plans: [wirePaidPlan('monthly', 9), wirePaidPlan('yearly', 90)],
    resetCode: '123456',
    suppression: null,
    deliveries: { next: null, obstacle: 'no-plan', pausedUntil: null, pdfFormat: 'phone', recent: [] },
    notifications: fakeNotifications(),
    phone: { number: null, state: 'missing', obstacle: null },
    checkouts: [],
    ...membership,
  }
}

/** Puts the session of the account into the browser's storage. */
export function storeSession(membership: FakeMembership): void {
  membership.hasSession = true
  window.localStorage.setItem('_ms-mid', token)
  window.localStorage.setItem('_ms-mem', JSON.stringify(membership.member))
}

function openSession(membership: FakeMembership) {
  membership.hasSession = true
  const session = wireSession(token, membership.member)
  return { data: session, _internalUseOnly: { message: messages.loggedIn } }
}

/** Returns the handlers of the membership calls that the site's own screens make; a test overrides those it needs. */
export function membershipHandlers(membership: FakeMembership) {
  const hasSession = ({ headers }: Request) =>
    membership.hasSession && headers.get('authorization') === `Bearer ${token}`
  const withSession = <Reply>(request: Request, respond: () => Reply) =>
    hasSession(request) ? respond() : errorResponse(401, 'client/invalid-token', messages.invalidToken)

  return [
    fake(login, ({ body: { email, password } }) => {
      const isRight = email === membership.member.auth.email && password === membership.password
      if (!isRight || !membership.hasAccount)
        return errorResponse(
          401,
          'invalid-credentials',
          'Your email or password is incorrect. Check both and try again.',
        )
      return openSession(membership)
    }),
    fake(signUp, ({ body: { email, password } }) => {
      if (membership.hasAccount && email === membership.member.auth.email)
        return errorResponse(
          409,
          'email-already-in-use',
          'This email is already in use. Log in, or use another one.',
        )
      membership.hasAccount = true
      membership.password = password ?? ''
      membership.member = wireMember({ auth: { ...membership.member.auth, email }, customFields: {} })
      return openSession(membership)
    }),
    fake(logout, () => {
      membership.hasSession = false
      endSessionDevices(membership.notifications)
      const message = { message: 'You’re logged out.' }
      return { data: { redirect: null }, _internalUseOnly: message }
    }),
    fake(getMember, ({ request }) => {
      return { data: hasSession(request) ? membership.member : null }
    }),
    fake(updateMember, ({ request, body }) =>
      withSession(request, () => {
        membership.member.customFields = { ...membership.member.customFields, ...body?.customFields }
        return { data: membership.member, _internalUseOnly: { message: 'Your profile was updated.' } }
      }),
    ),
    ...deliveryHandlers(membership),
    ...notificationHandlers(membership.notifications),
    fake(getCommentChannel, ({ query: { channelKey } }) => ({
      data: { channelKey, totalCount: 0, subscription: 'NONE' as const },
    })),
    fake(getApp, () => ({ data: { ...wireApp(), plans: membership.plans } })),
    fake(startCheckout, ({ request, body }) =>
      withSession(request, () => {
        const sold = membership.plans.flatMap(({ prices }) => prices).find(({ id }) => id === body.priceId)
        if (sold === undefined) return errorResponse(400, 'price-no-longer-available', priceWithdrawn)
        if (body.shownAmount != null && body.shownAmount !== sold.amount)
          return errorResponse(409, 'price-changed', priceChanged)
        membership.checkouts.push({
          priceId: body.priceId,
          successUrl: body.success_url ?? '',
          cancelUrl: body.cancel_url ?? '',
        })
        return { data: { url: checkoutPage } }
      }),
    ),
    fake(sendResetEmail, () => done('If this email has an account, we sent a code to it.')),
    fake(resetPassword, ({ body: { token: code, newPassword } }) => {
      if (code !== membership.resetCode)
        return errorResponse(400, 'invalid-reset-code', 'This code is wrong or expired. Request a new one.')
      membership.password = newPassword
      return done('You can log in with your new password now.')
    }),
  ]
}

/** Returns the handlers of the calls about how editions reach the member. */
function deliveryHandlers(membership: FakeMembership) {
  const phoneReplyWith = (message: string) => ({ data: membership.phone, _internalUseOnly: { message } })

  return [
    fake(getMemberDeliveries, () => ({ data: membership.deliveries })),
    fake(updateMemberDeliveries, ({ body: { pausedUntil, pdfFormat } }) => {
      if (pdfFormat !== undefined) membership.deliveries.pdfFormat = pdfFormat
      if (pausedUntil !== undefined) {
        const obstacle = pausedUntil === null ? ('no-plan' as const) : ('paused' as const)
        membership.deliveries = { ...membership.deliveries, next: null, obstacle, pausedUntil }
      }
      return { data: membership.deliveries }
    }),
    fake(getPhone, () => ({ data: membership.phone })),
    fake(sendPhoneCode, () => phoneReplyWith('We texted you a code.')),
    fake(verifyPhone, ({ body: { code } }) => {
      if (code !== '123456') {
        return errorResponse(
          400,
          'invalid-verification-code',
          'This code is wrong or expired. Request a new one.',
        )
      }
      membership.phone = { ...membership.phone, state: 'verified' }
      return phoneReplyWith('Your number is confirmed.')
    }),
    fake(getSuppression, () => ({ data: membership.suppression })),
    fake(endSuppression, () => {
      membership.suppression = null
      return { data: { success: true as const } }
    }),
    fake(getMemberFeed, () => ({ data: null })),
  ]
}

/** Returns the reply that has only a message. */
export function done(message: string) {
  return { data: { success: true as const }, _internalUseOnly: { message } }
}
