import type pg from 'pg'

/** A member who can pay. */
export type Payer = { memberId: string; email: string }

const payersSql = `
  INSERT INTO member (id, app_id, email, verified, password_hash, custom_fields, last_login_at, terms_accepted_at,
    terms_origin, created_at, updated_at)
  SELECT 'mem_' || substr(md5('payer ' || n), 1, 24), app.id, 'payer' || n || '@payers.example', true, $2, '{}', now(),
    now(), 'https://news.example', now(), now()
  FROM membership_app app, generate_series(1, $1::int) n
  ON CONFLICT DO NOTHING`

/** Adds members without payments. */
export async function fillPayers(
  database: pg.Client,
  { count, passwordHash }: { count: number; passwordHash: string },
): Promise<Payer[]> {
  await database.query(payersSql, [count, passwordHash])
  const { rows } = await database.query<Payer>(
    `SELECT id AS "memberId", email FROM member WHERE email LIKE '%@payers.example' ORDER BY id LIMIT $1`,
    [count],
  )
  return rows
}

/** Stores the Stripe customers of members. */
export async function saveCustomers(
  database: pg.Client,
  customers: readonly { id: string; memberId: string }[],
): Promise<void> {
  const columns = [customers.map(({ id }) => id), customers.map(({ memberId }) => memberId)]
  await database.query(
    `WITH customer AS (SELECT * FROM unnest($1::text[], $2::text[]) AS customer (id, member_id)),
       noted AS (
         UPDATE member SET stripe_customer_id = customer.id FROM customer WHERE member.id = customer.member_id
         RETURNING member.id, member.app_id, member.stripe_customer_id
       )
     INSERT INTO payment_customer (id, app_id, member_id, created_at)
     SELECT stripe_customer_id, app_id, id, now() FROM noted`,
    columns,
  )
  await database.query('ANALYZE member, payment_customer')
}

const allPaySql = [
  `INSERT INTO payment_customer (id, app_id, member_id, checkout_count, created_at)
   SELECT 'cus_' || substr(md5('customer ' || id), 1, 24), app_id, id, 3, created_at
   FROM member WHERE email LIKE '%@readers.example'`,
  `UPDATE member SET stripe_customer_id = customer.id FROM payment_customer customer
   WHERE customer.member_id = member.id AND member.stripe_customer_id IS NULL`,
  `INSERT INTO plan_connection (id, member_id, plan_id, type, status, active, created_at, subscription_id, price_id, amount,
     currency, interval, last_billed_at, period_ends_at, past_due_at)
   SELECT 'con_' || substr(md5('paid ' || customer.id), 1, 24), customer.member_id, price.plan_id, 'SUBSCRIPTION',
     CASE WHEN is_owed THEN 'UNPAID' ELSE 'ACTIVE' END, NOT is_owed, customer.created_at, 'sub_' || substr(md5(customer.id), 1, 24),
     price.price_id, price.amount, price.currency, price.interval, now(), now() + interval '20 days',
     CASE WHEN is_owed THEN customer.created_at - interval '1 year' END
   FROM payment_customer customer,
     LATERAL (SELECT customer.id < 'cus_028f5c' AS is_owed) owed,
     LATERAL (SELECT * FROM stripe_price WHERE stripe_price.app_id = customer.app_id AND current ORDER BY id LIMIT 1) price
   WHERE customer.checkout_count = 3`,
  `INSERT INTO payment_event (id, type, customer_id, created_at, received_at)
   SELECT 'evt_' || md5('event ' || id), 'customer.subscription.updated', id, told, told
   FROM payment_customer, LATERAL (SELECT now() - interval '80 days' * random() AS told) times
   WHERE checkout_count = 3`,
]

/**
 * Gives every filled member a paid plan and an event in the last months. One in a hundred is long past due. Stripe doesn't
 * know them. Does nothing when they exist.
 */
export async function fillPaidPlans(database: pg.Client): Promise<void> {
  const { rowCount } = await database.query('SELECT FROM payment_customer WHERE checkout_count = 3 LIMIT 1')
  if (rowCount !== 0) return
  // The inserted references are valid, and checking each would take longer than all the rest.
  await database.query('BEGIN')
  await database.query('SET LOCAL session_replication_role = replica')
  for (const sql of allPaySql) await database.query(sql)
  await database.query('COMMIT')
  await database.query('VACUUM ANALYZE')
  await database.query('CHECKPOINT')
}
