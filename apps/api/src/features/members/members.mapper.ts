import type { Member, PlanConnection } from '@tidings/contracts/members'
import { asObject } from '#platform/free-json.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import { majorUnits } from '#platform/money.ts'
import type { ConnectionRow, MemberRow } from './members.repository.ts'

/** A member in the wire's words. Permissions are those of the plans that are active. */
export function toWireMember(row: MemberRow, app: MembershipApp, siteUrl: URL): Member {
  return {
    id: row.id,
    verified: row.verified,
    createdAt: row.createdAt.toISOString(),
    lastLogin: row.lastLoginAt?.toISOString() ?? null,
    auth: {
      email: row.email,
      hasPassword: row.passwordHash !== null,
      providers: row.identities.map(({ provider }) => ({ provider })),
    },
    customFields: asObject(row.customFields),
    metaData: asObject(row.metaData),
    json: row.json,
    permissions: permissionsOf(row.planConnections, app),
    planConnections: row.planConnections.map((connection) => toWireConnection(connection, app)),
    profileImage: profileImageUrl(row.profileImage, siteUrl),
    stripeCustomerId: row.stripeCustomerId,
    loginRedirect: app.loginRedirect,
    teams: { joinedTeams: [], ownedTeams: [] },
  }
}

/** Where a profile image is shown; null without one. */
export function profileImageUrl(file: string | null, siteUrl: URL): string | null {
  return file === null ? null : `${siteUrl.origin}/profile-images/${file}`
}

function permissionsOf(connections: readonly ConnectionRow[], app: MembershipApp): string[] {
  const active = connections.filter((connection) => connection.active)
  return [...new Set(active.flatMap(({ planId }) => app.plansById.get(planId)?.permissions ?? []))]
}

function toWireConnection(row: ConnectionRow, app: MembershipApp): PlanConnection {
  return {
    id: row.id,
    planId: row.planId,
    planName: app.plansById.get(row.planId)?.name ?? row.planId,
    active: row.active,
    status: row.status,
    type: row.type,
    payment: paymentOf(row),
  }
}

/** What a connection costs; null for a free one. Nothing is charged next of what ends, is unpaid or paused. */
function paymentOf(row: ConnectionRow): PlanConnection['payment'] {
  const { priceId, amount, currency, interval, lastBilledAt, periodEndsAt, endsAt, status } = row
  if (priceId === null || amount === null || currency === null) return null
  const isPaid = status === 'ACTIVE' || status === 'TRIALING'
  const goesOn = endsAt === null && (isPaid || status === 'PAST_DUE')
  return {
    ...{ priceId, currency, interval },
    amount: majorUnits(amount, currency),
    status: isPaid || status === 'CANCELED' ? 'PAID' : 'UNPAID',
    lastBillingDate: toIso(lastBilledAt),
    nextBillingDate: goesOn ? toIso(periodEndsAt) : null,
    cancelAtDate: toIso(endsAt),
  }
}

/** A time as Postgres writes it in JSON. */
function toIso(text: string | null): string | null {
  return text === null ? null : new Date(text).toISOString()
}
