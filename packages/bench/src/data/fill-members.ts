import pg from 'pg'

type Fill = { count: number; passwordHash: string }

// Ids and addresses are in random order and of equal length. Every member has the app's first plan.
const memberSql = `
  INSERT INTO member (id, app_id, email, verified, password_hash, custom_fields, last_login_at, terms_accepted_at,
    terms_origin, created_at, updated_at)
  SELECT 'mem_' || substr(md5('member ' || n), 1, 24), app.id,
    substr(md5('address ' || n), 1, 12) || lpad(n::text, 7, '0') || '@readers.example', true, $2,
    jsonb_build_object('name', 'Reader ' || lpad(n::text, 7, '0')), joined, joined, 'https://news.example', joined, joined
  FROM membership_app app, generate_series(1, $1::int) n,
    LATERAL (SELECT now() - interval '2 years' + n * interval '1 minute' AS joined) times`
const hangingOnSql = [
  `INSERT INTO plan_connection (id, member_id, plan_id, type, created_at)
   SELECT 'con_' || substr(md5('plan ' || member.id), 1, 24), member.id, app.config->'plans'->0->>'id', 'FREE',
     member.created_at
   FROM member JOIN membership_app app ON app.id = member.app_id`,
  `INSERT INTO member_session (id, member_id, created_at, last_used_at, expires_at, user_agent)
   SELECT gen_random_uuid(), id, now() - interval '1 day', now(), now() + interval '13 days', 'Mozilla/5.0'
   FROM member WHERE id < 'mem_3'`,
  `INSERT INTO member_identity (app_id, provider, subject, member_id, created_at)
   SELECT app_id, 'google', md5('subject ' || id), id, created_at FROM member WHERE id < 'mem_3'`,
  `INSERT INTO known_source (member_id, source_hash, last_used_at)
   SELECT id, md5('network ' || id), now() - interval '1 day' FROM member WHERE id < 'mem_3'`,
  `INSERT INTO one_time_code (id, app_id, purpose, email, mailbox, network_hash, source_hash, code_hash, created_at, sent_at,
     expires_at)
   SELECT gen_random_uuid(), app_id, 'verification', email, email, md5(id), md5(id), repeat(md5(id), 2),
     now() - interval '1 day', now() - interval '1 day', now()
   FROM member WHERE id < 'mem_3'`,
  `INSERT INTO rate_limit (key, points, expire)
   SELECT 'accountTries:' || md5(id), 1, (extract(epoch FROM now()) * 1000)::bigint + 3600000
   FROM member WHERE id < 'mem_3'`,
]

/**
 * Fills a database with verified members who share a password. Three in sixteen also have a session, an identity provider,
 * an emailed code and a counter of tries. Does nothing when they exist.
 */
export async function fillMembers(databaseUrl: string, { count, passwordHash }: Fill): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    const { rowCount } = await client.query(
      "SELECT 1 FROM member WHERE email LIKE '%@readers.example' LIMIT 1",
    )
    if (rowCount !== 0) return
    // The inserted references are valid, and checking each would take longer than all the rest.
    await client.query('BEGIN')
    await client.query('SET LOCAL session_replication_role = replica')
    await client.query(memberSql, [count, passwordHash])
    for (const sql of hangingOnSql) await client.query(sql)
    await client.query('COMMIT')
    await client.query('VACUUM ANALYZE')
    // Otherwise the server would do this during the measurements.
    await client.query('CHECKPOINT')
  })
}

/** Returns the hash of a member's password, or null without such a member. */
export async function findPasswordHash(databaseUrl: string, email: string): Promise<string | null> {
  return await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ hash: string }>(
      'SELECT password_hash AS hash FROM member WHERE email = $1',
      [email],
    )
    return rows[0]?.hash ?? null
  })
}

/** Returns addresses of members with only a password, spread over the table, in mixed order. */
export async function spreadMembers(databaseUrl: string, count: number): Promise<string[]> {
  return await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ email: string }>(
      `SELECT email FROM (
         SELECT email, row_number() OVER (ORDER BY id) AS n, count(*) OVER () AS total
         FROM member WHERE email LIKE '%@readers.example' AND id >= 'mem_3'
       ) member
       WHERE n % greatest(1, total / $1) = 0 ORDER BY md5(email) LIMIT $1`,
      [count],
    )
    return rows.map(({ email }) => email)
  })
}

async function withClient<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
