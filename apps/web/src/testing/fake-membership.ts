import { wireApp, wireMember, wireSession } from '@tidings/client/testing/wire-samples'
import { type MemberDeliveries, memberDeliveriesReply, memberDeliveriesRequest } from '@tidings/contracts/membership/deliveries'
import { errorReply } from '@tidings/contracts/errors'
import {
  doneReply,
  loginRequest,
  logoutReply,
  resetPasswordRequest,
  sendCodeRequest,
  sessionReply,
  signupRequest,
} from '@tidings/contracts/membership/auth'
import { checkoutRequest, destinationReply } from '@tidings/contracts/membership/billing'
import { channelInfoReply } from '@tidings/contracts/membership/comments'
import {
  currentMemberReply,
  liftedSuppressionReply,
  type Member,
  memberFeedReply,
  memberWithMessageReply,
  type PlanConnection,
  suppressionReply,
  updateMemberRequest,
} from '@tidings/contracts/membership/members'
import { messages } from '@tidings/contracts/membership/messages'
import {
  type Phone,
  phoneReply,
  phoneWithMessageReply,
  verifyPhoneRequest,
} from '@tidings/contracts/membership/phone'
import type { Plan } from '@tidings/contracts/membership/plans'
import { appReply } from '@tidings/contracts/membership/widget-config'
import { membershipPaths } from '@tidings/contracts/paths'
import { HttpResponse, http } from 'msw/http'
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
  const message = { message: messages.loggedIn }
  return HttpResponse.json(sessionReply.parse({ data: session, _internalUseOnly: message }))
}

function refuse(status: number, code: string, message: string) {
  return HttpResponse.json({ error: { code, message } }, { status })
}

/** Returns the handlers of the membership calls that the site's own screens make; a test overrides those it needs. */
export function membershipHandlers(membership: FakeMembership) {
  const withSession = (request: Request, respond: () => Response | Promise<Response>) =>
    membership.hasSession && request.headers.get('authorization') === `Bearer ${token}`
      ? respond()
      : refuse(401, 'client/invalid-token', messages.invalidToken)
  const memberReply = (message: string) =>
    HttpResponse.json(
      memberWithMessageReply.parse({ data: membership.member, _internalUseOnly: { message } }),
    )

  const phoneReplyWith = (message: string) =>
    HttpResponse.json(phoneWithMessageReply.parse({ data: membership.phone, _internalUseOnly: { message } }))

  return [
    http.post(membershipPaths.login, async ({ request }) => {
      const { email, password } = loginRequest.parse(await request.json())
      const isRight = email === membership.member.auth.email && password === membership.password
      if (!isRight || !membership.hasAccount)
        return refuse(
          401,
          'invalid-credentials',
          'Your email or password is incorrect. Check both and try again.',
        )
      return openSession(membership)
    }),
    http.post(membershipPaths.signup, async ({ request }) => {
      const { email, password } = signupRequest.parse(await request.json())
      if (membership.hasAccount && email === membership.member.auth.email)
        return refuse(
          409,
          'email-already-in-use',
          'This email is already in use. Log in, or use another one.',
        )
      membership.hasAccount = true
      membership.password = password ?? ''
      membership.member = wireMember({ auth: { ...membership.member.auth, email }, customFields: {} })
      return openSession(membership)
    }),
    http.post(membershipPaths.logout, () => {
      membership.hasSession = false
      endSessionDevices(membership.notifications)
      const message = { message: 'You’re logged out.' }
      return HttpResponse.json(logoutReply.parse({ data: { redirect: null }, _internalUseOnly: message }))
    }),
    http.get(membershipPaths.member, ({ request }) => {
      const isOwn = membership.hasSession && request.headers.get('authorization') === `Bearer ${token}`
      return HttpResponse.json(currentMemberReply.parse({ data: isOwn ? membership.member : null }))
    }),
    http.post(membershipPaths.member, ({ request }) =>
      withSession(request, async () => {
        const { customFields } = updateMemberRequest.parse(await request.json())
        membership.member.customFields = { ...membership.member.customFields, ...customFields }
        return memberReply('Your profile was updated.')
      }),
    ),
    http.get(membershipPaths.memberDeliveries, () =>
      HttpResponse.json(memberDeliveriesReply.parse({ data: membership.deliveries })),
    ),
    http.post(membershipPaths.memberDeliveries, async ({ request }) => {
      const { pausedUntil, pdfFormat } = memberDeliveriesRequest.parse(await request.json())
      if (pdfFormat !== undefined) membership.deliveries.pdfFormat = pdfFormat
      if (pausedUntil !== undefined) {
        const obstacle = pausedUntil === null ? ('no-plan' as const) : ('paused' as const)
        membership.deliveries = { ...membership.deliveries, next: null, obstacle, pausedUntil }
      }
      return HttpResponse.json(memberDeliveriesReply.parse({ data: membership.deliveries }))
    }),
    ...notificationHandlers(membership.notifications),
    http.get(membershipPaths.phone, () => HttpResponse.json(phoneReply.parse({ data: membership.phone }))),
    http.post(membershipPaths.phoneVerification, () => phoneReplyWith('We texted you a code.')),
    http.post(membershipPaths.verifyPhone, async ({ request }) => {
      const { code } = verifyPhoneRequest.parse(await request.json())
      if (code !== '123456') {
        return refuse(400, 'invalid-verification-code', 'This code is wrong or expired. Request a new one.')
      }
      membership.phone = { ...membership.phone, state: 'verified' }
      return phoneReplyWith('Your number is confirmed.')
    }),
    http.get(membershipPaths.suppression, () =>
      HttpResponse.json(suppressionReply.parse({ data: membership.suppression })),
    ),
    http.delete(membershipPaths.suppression, () => {
      membership.suppression = null
      return HttpResponse.json(liftedSuppressionReply.parse({ data: { success: true } }))
    }),
    http.get(membershipPaths.memberFeed, () => HttpResponse.json(memberFeedReply.parse({ data: null }))),
    http.get(membershipPaths.commentChannel, ({ request }) => {
      const channelKey = new URL(request.url).searchParams.get('channelKey')
      const data = { channelKey, totalCount: 0, subscription: 'NONE' }
      return HttpResponse.json(channelInfoReply.parse({ data }))
    }),
    http.get(membershipPaths.app, () =>
      HttpResponse.json(appReply.parse({ data: { ...wireApp(), plans: membership.plans } })),
    ),
    http.post(membershipPaths.checkout, ({ request }) =>
      withSession(request, async () => {
        const body = checkoutRequest.parse(await request.json())
        const sold = membership.plans.flatMap(({ prices }) => prices).find(({ id }) => id === body.priceId)
        if (sold === undefined) return refused(400, 'price-no-longer-available', priceWithdrawn)
        if (body.shownAmount != null && body.shownAmount !== sold.amount)
          return refused(409, 'price-changed', priceChanged)
        membership.checkouts.push({
          priceId: body.priceId,
          successUrl: body.success_url ?? '',
          cancelUrl: body.cancel_url ?? '',
        })
        return HttpResponse.json(destinationReply.parse({ data: { url: checkoutPage } }))
      }),
    ),
    http.post(membershipPaths.sendResetPasswordEmail, async ({ request }) => {
      sendCodeRequest.parse(await request.json())
      return done('If this email has an account, we sent a code to it.')
    }),
    http.post(membershipPaths.resetPassword, async ({ request }) => {
      const { token: code, newPassword } = resetPasswordRequest.parse(await request.json())
      if (code !== membership.resetCode)
        return refuse(400, 'invalid-reset-code', 'This code is wrong or expired. Request a new one.')
      membership.password = newPassword
      return done('You can log in with your new password now.')
    }),
  ]
}

function done(message: string) {
  return HttpResponse.json(doneReply.parse({ data: { success: true }, _internalUseOnly: { message } }))
}

function refused(status: number, code: string, message: string) {
  return HttpResponse.json(errorReply.parse({ error: { code, message } }), { status })
}
