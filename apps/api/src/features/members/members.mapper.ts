import { urlOf } from '@tidings/contracts/endpoint'
import { type Member, type PlanConnection, renewalSchema } from '@tidings/contracts/membership/members'
import { profilePicture } from '@tidings/contracts/routes'
import type { z } from 'zod'
import { asObject } from '#platform/free-json.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import { majorUnits } from '#platform/money.ts'
import type { ConnectionRow, MemberRow } from './members.repository.ts'

type WireRenewal = z.infer<typeof renewalSchema>

/** Returns a member in wire format. Permissions come from the member's active plans. */
export function toWireMember(row: MemberRow, app: MembershipApp, siteUrl: URL): Member {
  const { id, verified, json, identities: providers, stripeCustomerId } = row
  return {
    id,
    verified,
    createdAt: row.createdAt.toISOString(),
    lastLogin: row.lastLoginAt?.toISOString() ?? null,
    auth: { email: row.email, hasPassword: row.passwordHash !== null, providers },
    customFields: asObject(row.customFields),
    metaData: asObject(row.metaData),
    json,
    permissions: permissionsOf(row.planConnections, app),
    planConnections: row.planConnections.map((connection) => toWireConnection(connection, app)),
    profileImage: profileImageUrl(row.profileImage, siteUrl),
    stripeCustomerId,
    loginRedirect: app.loginRedirect,
    teams: { joinedTeams: [], ownedTeams: [] },
  }
}

export function profileImageUrl(file: string | null, siteUrl: URL): string | null {
  return file === null ? null : siteUrl.origin + urlOf(profilePicture, { params: { file } })
}

function planNameOf({ plansById }: MembershipApp, planId: string): string {
  return plansById.get(planId)?.name ?? planId
}

/** Returns the name of the plan that the member pays for, also when a payment failed or it was canceled; null for none. */
export function paidPlanOf({ planConnections }: MemberRow, app: MembershipApp): string | null {
  const paid = planConnections.find(({ type, status }) => type !== 'FREE' && status !== 'CANCELED')
  return paid === undefined ? null : planNameOf(app, paid.planId)
}

function permissionsOf(connections: readonly ConnectionRow[], app: MembershipApp): string[] {
  const active = connections.filter((connection) => connection.active)
  return [...new Set(active.flatMap(({ planId }) => app.plansById.get(planId)?.permissions ?? []))]
}

function toWireConnection(row: ConnectionRow, app: MembershipApp): PlanConnection {
  const { id, planId, active, status, type } = row
  return { id, planId, planName: planNameOf(app, planId), active, status, type, payment: paymentOf(row) }
}

/** Returns what a connection costs; null for a free one. Canceled, unpaid and paused plans have no next billing date. */
function paymentOf(row: ConnectionRow): PlanConnection['payment'] {
  const { priceId, amount, currency, interval, lastBilledAt, periodEndsAt, endsAt, status, nextPriceId } = row
  if (priceId === null || amount === null || currency === null) return null
  const isPaid = status === 'ACTIVE' || status === 'TRIALING'
  const renews = endsAt === null && (isPaid || status === 'PAST_DUE')
  return {
    priceId,
    currency,
    interval,
    amount: majorUnits(amount, currency),
    status: isPaid || status === 'CANCELED' ? 'PAID' : 'UNPAID',
    lastBillingDate: toIso(lastBilledAt),
    nextBillingDate: renews ? toIso(periodEndsAt) : null,
    cancelAtDate: toIso(endsAt),
    ...(nextPriceId !== null && { nextPriceId }),
    ...(renews && isPaid && renewalOf(row, currency)),
  }
}

/** Returns what the next payments charge; empty if that is not known. */
function renewalOf(
  { amount, interval, periodEndsAt, nextPriceId, renewal, adjustedBy }: ConnectionRow,
  currency: string,
): { renewal?: WireRenewal } {
  if (renewal !== null) return { renewal: inMajorUnits(renewalSchema.parse(renewal), currency) }
  const from = toIso(periodEndsAt)
  if (adjustedBy !== null || nextPriceId !== null || amount === null || from === null) return {}
  const amounts = [{ from, amount, tax: 0 }]
  return { renewal: inMajorUnits({ interval, taxBehavior: null, amounts }, currency) }
}

function toIso(text: string | null): string | null {
  return text === null ? null : new Date(text).toISOString()
}

/** Converts what payments charge from minor to major units. */
export function inMajorUnits({ amounts, ...renewal }: WireRenewal, currency: string): WireRenewal {
  return {
    ...renewal,
    amounts: amounts.map(({ from, amount, tax }) => {
      return { from, amount: majorUnits(amount, currency), tax: majorUnits(tax, currency) }
    }),
  }
}
