/** A Fastify that verifies an event's signature and stores one row: what taking events is compared with. */
import Fastify from 'fastify'
import pg from 'pg'
import { isSigned } from '../load/events/storm.ts'
import { answerQuestions } from '../programs/answer-questions.ts'

export type BareWebhooks = { route: string; secret: string; databaseUrl: string; connections: number }

type Event = { id: string; type: string; created: number; data: { object: { customer: string } } }

const toleranceSeconds = 300
const table = `CREATE TABLE IF NOT EXISTS bare_event (id varchar(255) PRIMARY KEY, type varchar(100) NOT NULL,
  customer_id varchar(64), created_at timestamptz NOT NULL, received_at timestamptz NOT NULL)`
const insert = {
  name: 'store event',
  text: 'INSERT INTO bare_event VALUES ($1, $2, $3, to_timestamp($4), now()) ON CONFLICT DO NOTHING',
}

answerQuestions<BareWebhooks>(async ({ route, secret, databaseUrl, connections }) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: connections })
  // Its lines are cut when all ends early.
  pool.on('error', () => {})
  await pool.query(table)
  const app = Fastify()
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.post<{ Body: Buffer }>(route, async ({ body, headers }, reply) => {
    const proof = { secret, now: Math.floor(Date.now() / 1_000), toleranceSeconds }
    if (!isSigned(body, String(headers['stripe-signature']), proof)) return await reply.code(400).send()
    const { id, type, created, data }: Event = JSON.parse(body.toString())
    await pool.query({ ...insert, values: [id, type, data.object.customer, created] })
    return { data: { received: true } }
  })
  return await app.listen({ port: 0, host: '127.0.0.1' })
})
