import type pg from 'pg'

/** Members who can pay: how they are known where they pay. */
export type Payer = { memberId: string; email: string }

const payersSql = `
  INSERT INTO member (id, app_id, email, verified, password_hash, custom_fields, last_login_at, terms_accepted_at,
    terms_origin, created_at, updated_at)
  SELECT 'mem_' || substr(md5('payer ' || n), 1, 24), app.id, 'payer' || n || '@payers.example', true, $2, '{}', now(),
    now(), 'https://news.example', now(), now()
  FROM membership_app app, generate_series(1, $1::int) n
  ON CONFLICT DO NOTHING`

/** Members besides those who are there, of whom nobody has paid yet. */
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

/** Notes who the payers are where they pay. */
export async function noteCustomers(
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
