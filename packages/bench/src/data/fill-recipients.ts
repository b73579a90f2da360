import type pg from 'pg'

const fillSql = [
  `INSERT INTO member (id, app_id, email, verified, custom_fields, last_login_at, terms_accepted_at,
    terms_origin, created_at, updated_at)
  SELECT 'mem_' || substr(md5('recipient ' || n), 1, 24), app.id, 'recipient' || n || '@recipients.example', true,
    jsonb_build_object('name', 'Reader ' || n), now(), now(), 'https://news.example', now(), now()
  FROM membership_app app, generate_series(1, $1::int) n`,
  `INSERT INTO plan_connection (id, member_id, plan_id, type, created_at, price_id)
  SELECT 'con_' || substr(md5('paid ' || id), 1, 24), id, 'pln_paid', 'SUBSCRIPTION', created_at, 'prc_paid'
  FROM member WHERE email LIKE '%@recipients.example'`,
]

const phonesSql = [
  `UPDATE member SET custom_fields = custom_fields || jsonb_build_object('phone', '+1202' || lpad(numbered.n::text, 7, '0'))
  FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM member WHERE email LIKE '%@recipients.example') numbered
  WHERE member.id = numbered.id`,
  `INSERT INTO member_phone (member_id, text, number, code_expires_at, verified_at, consent_at, consent_origin,
    consent_text)
  SELECT id, custom_fields->>'phone', custom_fields->>'phone', now(), now(), now(), 'https://news.example', 'Texts, please.'
  FROM member WHERE email LIKE '%@recipients.example'`,
]

/** The custom field by which a member chooses how to receive editions. */
export type ChosenMethod = 'getmemomethodbyemail' | 'getPDFMethodByEmail' | 'getmemomethodbysms'

/** Stores members with a paid plan. None of them receives editions yet. */
export async function fillRecipients(database: pg.Client, count: number): Promise<void> {
  const [members = '', plans = ''] = fillSql
  await database.query(members, [count])
  await database.query(plans)
}

/** Gives each of these members a verified number. */
export async function fillNumbers(database: pg.Client): Promise<void> {
  for (const sql of phonesSql) await database.query(sql)
}

/** Lets as many of these members receive editions, by this method only, and no others. */
export async function chooseRecipients(
  database: pg.Client,
  count: number,
  method: ChosenMethod,
): Promise<void> {
  await database.query(
    `UPDATE member SET custom_fields =
       (custom_fields - '{getmemomethodbyemail,getPDFMethodByEmail}'::text[]) || jsonb_build_object($2::text, numbered.n <= $1)
     FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM member WHERE email LIKE '%@recipients.example') numbered
     WHERE member.id = numbered.id`,
    [count, method],
  )
  await database.query('VACUUM ANALYZE')
  // Otherwise the server would do this during the measurements.
  await database.query('CHECKPOINT')
}

/** Stores a draft with the memos of an edition that has eight. Returns its key. */
export async function draftCopy(database: pg.Client, number: number): Promise<string> {
  const { rows } = await database.query<{ key: string }>(
    `WITH copied AS (
       SELECT edition_id FROM memo GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1
     ), draft AS (
       INSERT INTO edition (date, slot, status, publish_at)
       SELECT '2030-01-01'::date + $1::int, '10AM', 'draft', '2030-01-01T18:00Z'::timestamptz + $1 * interval '1 day'
       RETURNING id, date, slot
     ), memos AS (
       INSERT INTO memo (edition_id, position, title, content, source)
       SELECT draft.id, position, title, content, source
       FROM memo JOIN copied ON copied.edition_id = memo.edition_id, draft
     )
     SELECT to_char(date, 'MM-DD-YY') || '-' || slot AS key FROM draft`,
    [number],
  )
  return rows[0]?.key ?? ''
}
