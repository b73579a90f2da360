import type { MemberExport } from '@tidings/contracts/membership/members'
import type pg from 'pg'
import { orUnavailable } from '#platform/database.ts'

type Head = Omit<
  MemberExport,
  'identities' | 'sessions' | 'phones' | 'feeds' | 'pushDevices' | 'deliveries' | 'suppressions' | 'comments'
>
type List = { prefix: string; from: string; join?: string; item: string; key: string; start: string }

const pageRows = 5
const nilUuid = '00000000-0000-0000-0000-000000000000'

const iso = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
const comment = `'id', own.id, 'content', content, 'createdAt', ${iso('own.created_at')}, 'editedAt', ${iso('edited_at')}`
const joinChannel = 'JOIN comment_channel AS channel ON channel.id = own.channel_id'

/** The lists after the head, in response order: JSON before each, its rows ordered by `key`, all after `start`. */
const lists: List[] = [
  {
    prefix: ',"identities":',
    from: 'member_identity',
    item: `json_build_object('provider', provider, 'subject', subject, 'createdAt', ${iso('created_at')})`,
    key: 'provider',
    start: '',
  },
  {
    prefix: ',"sessions":',
    from: 'member_session',
    item: `json_build_object('id', id, 'createdAt', ${iso('created_at')}, 'lastUsedAt', ${iso('last_used_at')},
      'expiresAt', ${iso('expires_at')}, 'userAgent', user_agent)`,
    key: 'id',
    start: nilUuid,
  },
  {
    prefix: ',"phones":',
    from: 'member_phone',
    item: `json_build_object('number', number, 'verifiedAt', ${iso('verified_at')}, 'timeZone', time_zone,
      'consentAt', ${iso('consent_at')}, 'consentOrigin', consent_origin, 'consentText', consent_text,
      'stoppedMethods', stopped_methods)`,
    key: 'member_id',
    start: '',
  },
  {
    prefix: ',"feeds":',
    from: 'member_feed',
    item: `json_build_object('createdAt', ${iso('created_at')})`,
    key: 'member_id',
    start: '',
  },
  {
    prefix: ',"pushDevices":',
    from: 'push_device',
    item: `json_build_object('name', name, 'createdAt', ${iso('created_at')}, 'lastNotifiedAt', ${iso('last_notified_at')})`,
    key: 'id',
    start: nilUuid,
  },
  {
    prefix: ',"deliveries":',
    // Joined by run, so that the index of each run is probed instead of all deliveries.
    from: `(
      SELECT delivery.*, to_char(run.id, 'FM0000000000') || delivery.method AS place
      FROM delivery_run AS run JOIN delivery ON delivery.run_id = run.id
    ) AS delivered`,
    item: `json_build_object('method', method, 'state', state, 'recipient', recipient, 'sentAt', ${iso('sent_at')})`,
    key: 'place',
    start: '',
  },
  {
    prefix: ',"suppressions":',
    from: `(
      SELECT suppression.*, own.member_id
      FROM suppression JOIN (
        SELECT id AS member_id, email AS address FROM member
        UNION ALL SELECT member_id, number FROM member_phone WHERE verified_at IS NOT NULL
      ) AS own USING (address)
    ) AS suppressed`,
    item: `json_build_object('kind', kind, 'reason', reason, 'bounces', bounces, 'since', ${iso('suppressed_at')})`,
    key: 'address',
    start: '',
  },
  {
    prefix: ',"comments":{"posts":',
    from: 'comment_post',
    join: joinChannel,
    item: `json_build_object(${comment}, 'channelKey', channel.key)`,
    key: 'internal_order',
    start: '0',
  },
  {
    prefix: ',"threads":',
    from: 'comment_thread',
    item: `json_build_object(${comment}, 'postId', post_id)`,
    key: 'internal_order',
    start: '0',
  },
  {
    prefix: ',"postVotes":',
    from: 'comment_post_vote',
    item: `json_build_object('postId', post_id, 'vote', lower(vote::text))`,
    key: 'post_id',
    start: '',
  },
  {
    prefix: ',"threadVotes":',
    from: 'comment_thread_vote',
    item: `json_build_object('threadId', thread_id, 'vote', lower(vote::text))`,
    key: 'thread_id',
    start: '',
  },
  {
    prefix: ',"reports":',
    from: 'comment_report',
    item: `json_build_object('commentId', coalesce(post_id, thread_id), 'reason', reason, 'createdAt', ${iso('created_at')})`,
    key: 'id',
    start: nilUuid,
  },
  {
    prefix: ',"subscriptions":',
    from: 'comment_subscription',
    join: joinChannel,
    item: 'to_json(channel.key)',
    key: 'channel_id',
    start: nilUuid,
  },
]

/** Writes the response of `GET /member/export` in chunks, so that it never has to fit into memory. */
export async function* writeMemberExport(
  pool: pg.Pool,
  memberId: string,
  head: Head,
): AsyncGenerator<string> {
  yield JSON.stringify({ data: head }).slice(0, -2)
  for (const list of lists) {
    yield `${list.prefix}[`
    let separator = ''
    for await (const items of readList(pool, memberId, list)) {
      if (items.length > 0) yield separator + items.join(',')
      separator = ','
    }
    yield ']'
  }
  yield '}}}'
}

/**
 * Reads a list page by page as JSON. NOTE: `pg`'s query timer retains the result until a major garbage collection, so
 * the rows are spliced out of it. Through Prisma, 100 MB of rows would take 200 MB of memory.
 */
async function* readList(
  pool: pg.Pool,
  memberId: string,
  { from, join = '', item, key, start }: List,
): AsyncGenerator<string[]> {
  // The subquery keeps the planner from building JSON for more rows than one page.
  const text = `SELECT own.${key}::text AS key, (${item})::text AS item FROM (
      SELECT * FROM ${from} WHERE member_id = $1 AND ${key} > $2 ORDER BY ${key} LIMIT ${pageRows}
    ) AS own ${join} ORDER BY own.${key}`
  let after: string | undefined = start
  while (after !== undefined) {
    const { rows }: pg.QueryResult<{ key: string; item: string }> = await orUnavailable(
      pool.query(text, [memberId, after]),
    )
    const page = rows.splice(0)
    after = page[pageRows - 1]?.key
    yield page.map(({ item }) => item)
  }
}
