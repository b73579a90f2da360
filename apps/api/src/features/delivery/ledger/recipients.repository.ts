import {
  factsOf,
  replacementsOf,
  type DeliveryMethod as WireMethod,
} from '@tidings/contracts/delivery/methods'
import type { CalendarDate } from '@tidings/contracts/edition-key'
import { z } from 'zod'
import { DeliveryMethod, Prisma } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'
import { toDatabaseDate } from '#platform/database-date.ts'
import { countRowSchema, idRowSchema, queryRows } from '#platform/query-rows.ts'
import { isChosenMethod, isSmsMethod, toWireMethod } from '../methods.ts'

/** The rules that decide whether a member receives deliveries, besides the member's own record. */
export type RecipientRules = {
  appId: string
  today: CalendarDate
  /** The key that browsers are notified with; null if none is. */
  pushKey: string | null
}

/** Each kind of address: what a member has, and whether it is verified. */
const addresses = {
  email: Prisma.sql`member.email, member.verified`,
  number: Prisma.sql`coalesce(phone.number, ''), coalesce(phone.verified_at IS NOT NULL, false)`,
} as const

/** Joins the numbers that texts need. One counts while the member's field has the text that was verified. */
function phones(methods: readonly DeliveryMethod[]): Prisma.Sql {
  if (!methods.some(isSmsMethod)) return Prisma.empty
  return Prisma.sql`
    LEFT JOIN member_phone AS phone
      ON phone.member_id = member.id AND phone.text = member.custom_fields->>'phone'`
}

// A notification has no address of the ledger: those of browsers are secrets, and a member has several.
function hasPushDevice(pushKey: string | null): Prisma.Sql {
  return Prisma.sql`EXISTS (
    SELECT 1 FROM push_device AS device WHERE device.member_id = member.id AND ${isReached(pushKey)})`
}

/** Returns whether a browser subscribed with this key of ours. */
function isReached(pushKey: string | null): Prisma.Sql {
  return Prisma.sql`(device.vapid_key = ${pushKey} OR device.vapid_key IS NULL)`
}

/** Returns the condition that a row of `member` receives a method: `methodsOf` of the contracts in SQL. */
export function isChosen(method: WireMethod): Prisma.Sql {
  const others = replacementsOf(method).map((other) => Prisma.sql`NOT ${isStored(other)}`)
  return Prisma.join([isStored(method), ...others], ' AND ')
}

function isStored(method: WireMethod): Prisma.Sql {
  return Prisma.sql`coalesce(member.custom_fields->>${factsOf(method).field} = 'true', false)`
}

/** Selects which of the methods members chose, with the address of each. */
function choices(methods: readonly DeliveryMethod[], isNotified: Prisma.Sql): Prisma.Sql {
  const rows = methods.map((method) => {
    if (!isChosenMethod(method)) return Prisma.sql`(${method}::delivery_method, ${isNotified}, '', true)`
    const address = addresses[factsOf(toWireMethod(method)).address]
    return Prisma.sql`(${method}::delivery_method, ${isChosen(toWireMethod(method))}, ${address})`
  })
  return Prisma.sql`LATERAL (VALUES ${Prisma.join(rows)}) AS choice (method, chosen, address, verified)`
}

/** Returns whether a member has a plan that delivers. Paid plans always do, in their grace period too. */
function hasPlan(appId: string): Prisma.Sql {
  return Prisma.sql`EXISTS (
    SELECT 1 FROM plan_connection AS plan
    WHERE plan.member_id = member.id AND plan.active
      AND (plan.type <> 'FREE' OR plan.plan_id IN (
        SELECT configured->>'id' FROM membership_app AS app, jsonb_array_elements(app.config->'plans') AS configured
        WHERE app.id = ${appId} AND configured->>'delivers' = 'true'
      ))
  )`
}

const suppressions = Prisma.sql`
  LEFT JOIN suppression ON suppression.address = choice.address AND suppression.suppressed_at IS NOT NULL`

/** Returns the obstacle between a member with a plan and the chosen deliveries. */
function hindrance(today: CalendarDate): Prisma.Sql {
  return Prisma.sql`CASE
    WHEN NOT choice.verified THEN 'unverified'
    WHEN suppression.address IS NOT NULL THEN suppression.kind::text
    WHEN member.deliveries_paused_until > ${toDatabaseDate(today)}::date THEN 'paused'
  END`
}

/** Selects one row for each member and method: the address, the pages of PDFs, and the obstacle. */
export function recipients(
  { appId, today, pushKey }: RecipientRules,
  methods: readonly DeliveryMethod[],
): Prisma.Sql {
  return Prisma.sql`
    SELECT
      member.id, choice.method, choice.address, member.pdf_format, member.link_version,
      CASE
        WHEN NOT choice.chosen THEN 'unsubscribed'
        WHEN NOT ${hasPlan(appId)} THEN 'no-plan'
        ELSE ${hindrance(today)}
      END AS obstacle
    FROM member ${phones(methods)} CROSS JOIN ${choices(methods, hasPushDevice(pushKey))} ${suppressions}
    WHERE member.app_id = ${appId}`
}

const obstacleRowSchema = z.object({ method: z.enum(DeliveryMethod), obstacle: z.string().nullable() })

/** Returns the obstacle of each of these methods for a member; null for none. Without those that are off. */
export async function listObstacles<Method extends DeliveryMethod>(
  db: Db,
  memberId: string,
  rules: RecipientRules,
  methods: readonly Method[],
): Promise<{ method: Method; obstacle: string | null }[]> {
  const rows = await queryRows(db, obstacleRowSchema)`
    SELECT recipient.method, recipient.obstacle FROM (${recipients(rules, methods)}) AS recipient
    WHERE recipient.id = ${memberId} AND recipient.obstacle IS DISTINCT FROM 'unsubscribed'`
  return methods.flatMap((method) =>
    rows.flatMap((row) => (row.method === method ? [{ ...row, method }] : [])),
  )
}

/** Returns whether a member has a plan that delivers. */
export async function hasDeliveringPlan(db: Db, memberId: string, appId: string): Promise<boolean> {
  const rows = await db.$queryRaw`
    SELECT 1 FROM member WHERE member.id = ${memberId} AND ${hasPlan(appId)}`
  return rows.length > 0
}

/** Counts the members who would receive a method now. */
export async function countRecipients(
  db: Db,
  method: DeliveryMethod,
  rules: RecipientRules,
): Promise<number> {
  const [row] = await queryRows(db, countRowSchema)`
    SELECT count(*)::int AS count FROM (${recipients(rules, [method])}) AS recipient
    WHERE recipient.obstacle IS NULL`
  return row?.count ?? 0
}

const obstacleCountSchema = obstacleRowSchema.extend({ count: z.int() })
export type ObstacleCount = z.infer<typeof obstacleCountSchema>

/** Counts the members who chose these methods by what keeps them from getting it; null for nothing. */
export async function countObstacles(
  db: Db,
  methods: readonly DeliveryMethod[],
  rules: RecipientRules,
): Promise<ObstacleCount[]> {
  return await queryRows(db, obstacleCountSchema)`
    SELECT recipient.method, recipient.obstacle, count(*)::int AS count
    FROM (${recipients(rules, methods)}) AS recipient
    WHERE recipient.obstacle IS DISTINCT FROM 'unsubscribed'
    GROUP BY 1, 2 ORDER BY 3 DESC, 2`
}

/** Counts the members who would receive one of these methods now, or several. */
export async function countReached(
  db: Db,
  methods: readonly DeliveryMethod[],
  rules: RecipientRules,
): Promise<number> {
  const [row] = await queryRows(db, countRowSchema)`
    SELECT count(DISTINCT recipient.id)::int AS count FROM (${recipients(rules, methods)}) AS recipient
    WHERE recipient.obstacle IS NULL`
  return row?.count ?? 0
}

// A statement with more members could reach the time limit of all statements.
const membersOfStatement = 250_000

/**
 * Plans a run: one row for each member with a plan who chose one of the methods, in statements for each 250,000 members. It
 * fails if a member has one already; looking for that first would cost a quarter more.
 */
export async function planDeliveries(
  tx: Db,
  runId: number,
  methods: readonly DeliveryMethod[],
  { appId, today, pushKey }: RecipientRules,
  now: Date,
  step = membersOfStatement,
): Promise<void> {
  // Enough to sort these members and to join them with their plans in memory.
  await tx.$executeRaw`SELECT set_config('work_mem', '64MB', true)`
  await tx.$executeRaw`UPDATE delivery_run SET first_id = uuidv7() WHERE id = ${runId}`
  const chosen = methods.filter(isChosenMethod)
  const others = methods.filter((method) => !isChosenMethod(method))
  for (let after = ''; ; ) {
    const [last] = await queryRows(tx, idRowSchema)`
      SELECT id FROM member WHERE id > ${after} ORDER BY id LIMIT 1 OFFSET ${step - 1}`
    const upTo = last === undefined ? Prisma.empty : Prisma.sql`AND member.id <= ${last.id}`
    const range = Prisma.sql`member.id > ${after} ${upTo}`
    // Asking again who has a device would read the whole table in each statement.
    const insert = async (from: Prisma.Sql, methods: readonly DeliveryMethod[]) =>
      methods.length > 0 &&
      (await tx.$executeRaw`
        INSERT INTO delivery (run_id, member_id, method, state, recipient, reason, updated_at)
        SELECT
          ${runId}, recipient.id, recipient.method,
          (CASE WHEN recipient.obstacle IS NULL THEN 'planned' ELSE 'suppressed' END)::delivery_state,
          recipient.address, recipient.obstacle, ${now}
        FROM (
          SELECT member.id, choice.method, choice.address, ${hindrance(today)} AS obstacle
          FROM ${from} ${phones(methods)} CROSS JOIN ${choices(methods, Prisma.sql`true`)} ${suppressions}
          WHERE member.app_id = ${appId} AND ${range} AND choice.chosen AND ${hasPlan(appId)}
          ORDER BY member.id
        ) AS recipient`)
    await insert(Prisma.sql`member`, chosen)
    await insert(membersWithDevices(after, last?.id ?? null, pushKey), others)
    if (last === undefined) break
    after = last.id
  }
  await tx.$executeRaw`UPDATE delivery_run SET last_id = uuidv7() WHERE id = ${runId}`
}

/** Selects the members with devices in a range of ids. They may be few, so that not every member is looked at. */
function membersWithDevices(after: string, upTo: string | null, pushKey: string | null): Prisma.Sql {
  const isUpTo = upTo === null ? Prisma.empty : Prisma.sql`AND device.member_id <= ${upTo}`
  return Prisma.sql`
    (
      SELECT DISTINCT device.member_id FROM push_device AS device
      WHERE device.member_id > ${after} ${isUpTo} AND ${isReached(pushKey)}
    ) AS notified
    JOIN member ON member.id = notified.member_id`
}
