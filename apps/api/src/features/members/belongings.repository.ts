import type pg from 'pg'
import { orUnavailable } from '#platform/database.ts'

type Row = { key: string; item: string }

const rowsOfPage = 5
const noUuid = '00000000-0000-0000-0000-000000000000'

const iso = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
const comment = `'id', own.id, 'content', content, 'createdAt', ${iso('own.created_at')}, 'editedAt', ${iso('edited_at')}`
const ofChannel = 'JOIN comment_channel AS channel ON channel.id = own.channel_id'

/** The member's rows of each table as the export shows them, ordered by a key; `start` is before the first. */
const lists = {
  identities: {
    from: 'member_identity',
    join: '',
    item: `json_build_object('provider', provider, 'subject', subject, 'createdAt', ${iso('created_at')})`,
    key: 'provider',
    start: '',
  },
  sessions: {
    from: 'member_session',
    join: '',
    item: `json_build_object('id', id, 'createdAt', ${iso('created_at')}, 'lastUsedAt', ${iso('last_used_at')},
      'expiresAt', ${iso('expires_at')}, 'userAgent', user_agent)`,
    key: 'id',
    start: noUuid,
  },
  posts: {
    from: 'comment_post',
    join: ofChannel,
    item: `json_build_object(${comment}, 'channelKey', channel.key)`,
    key: 'internal_order',
    start: '0',
  },
  threads: {
    from: 'comment_thread',
    join: '',
    item: `json_build_object(${comment}, 'postId', post_id)`,
    key: 'internal_order',
    start: '0',
  },
  postVotes: {
    from: 'comment_post_vote',
    join: '',
    item: `json_build_object('postId', post_id, 'vote', lower(vote::text))`,
    key: 'post_id',
    start: '',
  },
  threadVotes: {
    from: 'comment_thread_vote',
    join: '',
    item: `json_build_object('threadId', thread_id, 'vote', lower(vote::text))`,
    key: 'thread_id',
    start: '',
  },
  subscriptions: {
    from: 'comment_subscription',
    join: ofChannel,
    item: 'to_json(channel.key)',
    key: 'channel_id',
    start: noUuid,
  },
}

export type Belonging = keyof typeof lists

/**
 * Reads what a table holds of a member as JSON, page by page. NOTE: the timer that bounds a query keeps its result
 * until a major garbage collection, so each page is taken out of it; through Prisma, 100 MB would cost 200 MB of memory.
 */
export async function* listBelongings(
  pool: pg.Pool,
  memberId: string,
  name: Belonging,
): AsyncGenerator<string[]> {
  const { from, join, item, key, start } = lists[name]
  // The subquery keeps the planner from making JSON of more rows than a page has.
  const text = `SELECT own.${key}::text AS key, (${item})::text AS item FROM (
      SELECT * FROM ${from} WHERE member_id = $1 AND ${key} > $2 ORDER BY ${key} LIMIT ${rowsOfPage}
    ) AS own ${join} ORDER BY own.${key}`
  let after: string | undefined = start
  while (after !== undefined) {
    const { rows }: pg.QueryResult<Row> = await orUnavailable(pool.query(text, [memberId, after]))
    const page = rows.splice(0)
    after = page[rowsOfPage - 1]?.key
    yield page.map(({ item }) => item)
  }
}
