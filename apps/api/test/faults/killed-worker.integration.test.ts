import pg from 'pg'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { editionPublished } from '#features/editions/index.ts'
import { publishedEdition } from '../factories/editions.ts'
import { useTestApp } from '../test-app.ts'
import { createTestDatabase } from '../test-database.ts'
import { waitOptions } from '../wait-options.ts'
import { errorsOf, startWorkerProcess } from './site-process.ts'

async function connect(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

async function stateOfJob(client: pg.Client): Promise<unknown> {
  const { rows } = await client.query('SELECT state FROM jobs.job WHERE name = $1', [editionPublished.name])
  return rows[0]?.state
}

describe('a worker killed during a job', () => {
  it('leaves the job to the next worker', async () => {
    const databaseUrl = await createTestDatabase()
    const { context } = await useTestApp({ databaseUrl, working: false })
    const { edition, memos } = await publishedEdition(context, '11-19-26-10AM', 2)
    const [locking, watching] = [await connect(databaseUrl), await connect(databaseUrl)]
    const announced: unknown[] = []
    watching.on('notification', ({ payload }) => void announced.push(JSON.parse(payload ?? '')))
    await watching.query('LISTEN tidings_new_memo')
    const worker = await startWorkerProcess({ databaseUrl })

    await locking.query('BEGIN')
    await locking.query('LOCK TABLE memo IN ACCESS EXCLUSIVE MODE')
    await context.jobs.enqueue(context.database.db, editionPublished, { editionId: edition.id })
    await vi.waitFor(async () => expect(await stateOfJob(watching)).toBe('active'), waitOptions)
    await worker.end('SIGKILL')
    await locking.query('ROLLBACK')
    const announcedByKilled = [...announced]
    const next = await startWorkerProcess({ databaseUrl })

    await vi.waitFor(async () => expect(await stateOfJob(watching)).toBe('completed'), waitOptions)
    expect(announcedByKilled).toEqual([])
    expect(announced).toEqual([memos.map(({ id }) => id)])
    expect(errorsOf(next)).toEqual([])
  })
})
