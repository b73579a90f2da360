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

/** Starts a worker whose job waits for a lock, as in the middle of its work. */
async function startWaitingJob() {
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
  return {
    databaseUrl,
    worker,
    watching,
    announced,
    expected: [memos.map(({ id }) => id)],
    unlock: () => locking.query('ROLLBACK'),
  }
}

describe('a worker killed during a job', () => {
  it('leaves the job to the next worker', async () => {
    const { databaseUrl, worker, watching, announced, expected, unlock } = await startWaitingJob()

    await worker.end('SIGKILL')
    await unlock()
    const announcedByKilled = [...announced]
    const next = await startWorkerProcess({ databaseUrl })

    await vi.waitFor(async () => expect(await stateOfJob(watching)).toBe('completed'), waitOptions)
    expect(announcedByKilled).toEqual([])
    expect(announced).toEqual(expected)
    expect(errorsOf(next)).toEqual([])
  })
})

describe('a worker stopped during a job', () => {
  it('finishes the job before it leaves', async () => {
    const { worker, watching, announced, expected, unlock } = await startWaitingJob()

    const ended = worker.end('SIGTERM')
    await vi.waitFor(() => expect(worker.log.map(({ msg }) => msg)).toContain('closing'), waitOptions)
    await unlock()
    await ended

    expect(await stateOfJob(watching)).toBe('completed')
    expect(announced).toEqual(expected)
    expect(errorsOf(worker)).toEqual([])
  })
})
