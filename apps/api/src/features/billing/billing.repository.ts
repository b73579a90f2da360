import type {
  BillingInterval,
  PaymentCustomer,
  PaymentEvent,
  PlanConnection,
  StripePrice,
} from '../../generated/prisma/client.ts'
import type { Db } from '../../platform/database.ts'

/** A price that the payment service sells or sold. */
export type PriceRow = Omit<StripePrice, 'createdAt'>

export type CustomerRow = PaymentCustomer

/** A paid connection as it is to be. */
export type ConnectionState = {
  planId: string
  subscriptionId: string
  priceId: string
  status: string
  active: boolean
  amount: number
  currency: string
  interval: BillingInterval | null
  lastBilledAt: Date | null
  periodEndsAt: Date | null
  endsAt: Date | null
  pastDueAt: Date | null
  nextPriceId: string | null
}

/** A paid connection as it is. */
export type StoredConnection = PlanConnection

/** Every price of an app, by the payment service's id. */
export async function readPrices(db: Db, appId: string): Promise<Map<string, PriceRow>> {
  const rows = await db.stripePrice.findMany({ where: { appId } })
  return new Map(rows.map((row) => [row.id, row]))
}

/** What a configured price is sold as at the moment. */
export async function findCurrentPrice(db: Db, appId: string, priceId: string): Promise<PriceRow | null> {
  return await db.stripePrice.findFirst({ where: { appId, priceId, current: true } })
}

/** Stores the prices that the payment service has for an app; those it was not told of stay as they are. */
export async function storePrices(tx: Db, appId: string, prices: readonly PriceRow[]): Promise<void> {
  await tx.stripePrice.updateMany({ where: { appId }, data: { current: false } })
  for (const { id, ...price } of prices) {
    await tx.stripePrice.upsert({ where: { id }, create: { id, ...price }, update: price })
  }
}

export async function findPortalConfiguration(db: Db, appId: string): Promise<string | null> {
  const setup = await db.paymentSetup.findUnique({ where: { appId } })
  return setup?.portalConfigurationId ?? null
}

export async function storeSetup(tx: Db, appId: string, configurationId: string, now: Date): Promise<void> {
  const setup = { portalConfigurationId: configurationId, syncedAt: now }
  await tx.paymentSetup.upsert({ where: { appId }, create: { appId, ...setup }, update: setup })
}

/**
 * Notes on a member, whose row the caller holds, who they are at the payment service. Answers the id that was noted
 * first.
 */
export async function noteCustomer(
  tx: Db,
  customer: { id: string; appId: string; memberId: string; now: Date },
): Promise<string> {
  const { id, appId, memberId, now } = customer
  const known = await tx.member.findUniqueOrThrow({
    where: { id: memberId },
    select: { stripeCustomerId: true },
  })
  if (known.stripeCustomerId !== null) return known.stripeCustomerId
  await tx.member.update({
    where: { id: memberId },
    data: { stripeCustomerId: id },
    select: { id: true },
  })
  await tx.paymentCustomer.upsert({
    where: { id },
    create: { id, appId, memberId, createdAt: now },
    update: { memberId },
  })
  return id
}

/** Forgets a customer that the payment service knows no more. */
export async function forgetCustomer(tx: Db, id: string): Promise<void> {
  await tx.member.updateMany({ where: { stripeCustomerId: id }, data: { stripeCustomerId: null } })
  await tx.paymentCustomer.deleteMany({ where: { id } })
}

export async function findCustomer(db: Db, id: string): Promise<CustomerRow | null> {
  return await db.paymentCustomer.findUnique({ where: { id } })
}

/** Stores those events that were not told before, and answers their ids. */
export async function storeEvents(
  tx: Db,
  events: readonly Omit<PaymentEvent, 'receivedAt'>[],
  now: Date,
): Promise<Set<string>> {
  const columns = {
    ids: events.map(({ id }) => id),
    types: events.map(({ type }) => type),
    customerIds: events.map(({ customerId }) => customerId),
    instants: events.map(({ createdAt }) => createdAt),
  }
  // In the order of their ids: two processes that are told the same ones must not wait for each other.
  const rows = await tx.$queryRaw<{ id: string }[]>`
    INSERT INTO payment_event (id, type, customer_id, created_at, received_at)
    SELECT told.*, ${now}::timestamptz
    FROM unnest(
      ${columns.ids}::text[], ${columns.types}::text[], ${columns.customerIds}::text[], ${columns.instants}::timestamptz[]
    ) AS told (id, type, customer_id, created_at)
    ORDER BY told.id
    ON CONFLICT DO NOTHING
    RETURNING id`
  return new Set(rows.map(({ id }) => id))
}

/** Asks for customers to be read anew. Answers those for which no reading was asked for yet: each needs a job. */
export async function wantReadings(tx: Db, ids: readonly string[], now: Date): Promise<string[]> {
  if (ids.length === 0) return []
  // In the order of their ids: another process may ask for the same ones.
  const rows = await tx.$queryRaw<{ id: string; first: boolean }[]>`
    WITH customer AS (SELECT id FROM payment_customer WHERE id = ANY(${ids}) ORDER BY id FOR UPDATE)
    UPDATE payment_customer
    SET wanted = wanted + 1, wanted_at = CASE WHEN wanted = done THEN ${now} ELSE wanted_at END
    FROM customer
    WHERE payment_customer.id = customer.id
    RETURNING payment_customer.id, wanted - done = 1 AS first`
  return rows.filter(({ first }) => first).map(({ id }) => id)
}

/** Begins a reading: its number, and how many were wanted by then. */
export async function beginReading(db: Db, id: string): Promise<(CustomerRow & { reading: number }) | null> {
  const [row] = await db.paymentCustomer.updateManyAndReturn({
    where: { id },
    data: { begun: { increment: 1 } },
  })
  return row === undefined ? null : { ...row, reading: row.begun }
}

/** Notes that a reading is stored; false when a later one was, whose truth is newer. */
export async function takeReading(
  tx: Db,
  { id, reading, wanted }: { id: string; reading: number; wanted: number },
  now: Date,
): Promise<boolean> {
  const count = await tx.$executeRaw`
    UPDATE payment_customer
    SET stored = ${reading}, done = greatest(done, ${wanted}), read_at = ${now}
    WHERE id = ${id} AND stored < ${reading}`
  return count === 1
}

/**
 * Lets a call change the plan of a customer to a price, together with others to the same one; false while it is being
 * changed to another.
 */
export async function claimPlanChange(
  db: Db,
  { customerId, priceId, callId }: { customerId: string; priceId: string; callId: string },
  { now, until }: { now: Date; until: Date },
): Promise<boolean> {
  const count = await db.$executeRaw`
    UPDATE payment_customer
    SET changing_to = ${priceId},
      changing_until = ${until},
      changing_by = CASE WHEN changing_until > ${now} THEN array_append(changing_by, ${callId}) ELSE ARRAY[${callId}] END
    WHERE id = ${customerId} AND (changing_to IS NULL OR changing_to = ${priceId} OR changing_until <= ${now})`
  return count === 1
}

/** Goes on with a claim until later; false when its time ran out and another call has taken it. */
export async function renewPlanChange(
  db: Db,
  { customerId, callId }: { customerId: string; callId: string },
  until: Date,
): Promise<boolean> {
  const { count } = await db.paymentCustomer.updateMany({
    where: { id: customerId, changingBy: { has: callId } },
    data: { changingUntil: until },
  })
  return count === 1
}

/** Lets go of a claim; the last call to do so lets others change the plan to another price. */
export async function releasePlanChange(
  db: Db,
  { customerId, callId }: { customerId: string; callId: string },
): Promise<void> {
  await db.$executeRaw`
    UPDATE payment_customer
    SET changing_by = array_remove(changing_by, ${callId}),
      changing_to = CASE WHEN changing_by = ARRAY[${callId}] THEN NULL ELSE changing_to END
    WHERE id = ${customerId} AND ${callId} = ANY(changing_by)`
}

/** Lets the newest reading, and no other for that time, end what the customer subscribes to; false when another does. */
export async function claimEnding(
  db: Db,
  { id, reading }: { id: string; reading: number },
  { now, until }: { now: Date; until: Date },
): Promise<boolean> {
  const { count } = await db.paymentCustomer.updateMany({
    where: { id, begun: reading, OR: [{ endingUntil: null }, { endingUntil: { lte: now } }] },
    data: { endingUntil: until },
  })
  return count === 1
}

/** Lets go of the claim that holds until `until`, unless another reading has taken it since. */
export async function releaseEnding(db: Db, id: string, until: Date): Promise<void> {
  await db.paymentCustomer.updateMany({ where: { id, endingUntil: until }, data: { endingUntil: null } })
}

/** Notes that a member wants to leave; answers since when, which a try after `forgottenBefore` goes on from. */
export async function noteLeaving(
  db: Db,
  id: string,
  { now, forgottenBefore }: { now: Date; forgottenBefore: Date },
): Promise<Date> {
  const [row] = await db.$queryRaw<{ leavingAt: Date }[]>`
    UPDATE payment_customer
    SET leaving_at = CASE WHEN leaving_at > ${forgottenBefore} THEN leaving_at ELSE ${now} END
    WHERE id = ${id}
    RETURNING leaving_at AS "leavingAt"`
  return row?.leavingAt ?? now
}

/**
 * Notes when the newest subscription began of which a payment is disputed or lost, and the newest of which one was lost,
 * and that the customer is to be read anew. One statement: a row that is updated twice in a transaction makes Postgres
 * hold the member as well, whom readings hold before the customer.
 */
export async function setDisputed(
  db: Db,
  id: string,
  { disputedAt, disputeLostAt }: Pick<PaymentCustomer, 'disputedAt' | 'disputeLostAt'>,
  now: Date,
): Promise<void> {
  await db.$executeRaw`
    UPDATE payment_customer
    SET disputed_at = ${disputedAt}, dispute_lost_at = ${disputeLostAt},
      wanted = wanted + 1, wanted_at = CASE WHEN wanted = done THEN ${now} ELSE wanted_at END
    WHERE id = ${id}`
}

/** Customers whose reading has been waiting since before `before`: whoever should have done it has forgotten. */
export async function listOverdue(db: Db, before: Date, most: number): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM payment_customer
    WHERE wanted > done AND wanted_at < ${before}
    ORDER BY wanted_at LIMIT ${most}`
  return rows.map(({ id }) => id)
}

/** Customers whose plan is still open though the time to pay is over. */
export async function listGraceEnded(db: Db, pastDueBefore: Date, most: number): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT DISTINCT customer.id
    FROM (
      SELECT member_id FROM plan_connection
      WHERE past_due_at < ${pastDueBefore} AND active
      ORDER BY past_due_at LIMIT ${most}
    ) connection
    JOIN payment_customer customer ON customer.member_id = connection.member_id`
  return rows.map(({ id }) => id)
}

/** The paid connections of all these members. */
export async function listPaidConnections(db: Db, memberIds: readonly string[]): Promise<StoredConnection[]> {
  return await db.planConnection.findMany({
    where: { memberId: { in: [...memberIds] }, type: { not: 'free' } },
  })
}

/** The customers of these ids, as far as they are ours. */
export async function listCustomers(db: Db, ids: readonly string[]): Promise<CustomerRow[]> {
  return await db.paymentCustomer.findMany({ where: { id: { in: [...ids] } } })
}

/** Customers after `after`, in the order of their ids, who hold a connection that has not ended. */
export async function listPayingCustomers(db: Db, after: string, most: number): Promise<CustomerRow[]> {
  return await db.paymentCustomer.findMany({
    where: {
      id: { gt: after },
      member: { planConnections: { some: { type: { not: 'free' }, status: { not: 'CANCELED' } } } },
    },
    orderBy: { id: 'asc' },
    take: most,
  })
}

export async function listDisputed(db: Db): Promise<string[]> {
  const rows = await db.paymentCustomer.findMany({
    where: { disputedAt: { not: null } },
    select: { id: true },
  })
  return rows.map(({ id }) => id)
}

export async function removeConnections(tx: Db, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.planConnection.deleteMany({ where: { id: { in: [...ids] } } })
}

/** Stores a new paid connection. One that the member holds of the plan for nothing becomes it. */
export async function createPaidConnection(
  tx: Db,
  connection: ConnectionState & Pick<PlanConnection, 'id' | 'memberId' | 'createdAt'>,
): Promise<void> {
  const { id, memberId, createdAt, ...state } = connection
  const paid = { ...state, type: 'subscription' as const }
  await tx.planConnection.upsert({
    where: { memberId_planId: { memberId, planId: state.planId } },
    create: { ...paid, id, memberId, createdAt },
    update: paid,
    select: { id: true },
  })
}

export async function updatePaidConnection(tx: Db, id: string, state: ConnectionState): Promise<void> {
  await tx.planConnection.update({ where: { id }, data: state, select: { id: true } })
}

/** Lets go of a subscription's id, so that the connection of another plan can take it. */
export async function releaseSubscriptions(tx: Db, ids: readonly string[]): Promise<void> {
  await tx.planConnection.updateMany({ where: { id: { in: [...ids] } }, data: { subscriptionId: null } })
}

export async function removeOldEvents(db: Db, before: Date): Promise<void> {
  await db.paymentEvent.deleteMany({ where: { receivedAt: { lt: before } } })
}
