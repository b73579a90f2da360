import { createHash, randomBytes } from 'node:crypto'
import { listMemos } from '@tidings/contracts/editions'
import { urlOf } from '@tidings/contracts/endpoint'
import type pg from 'pg'
import { connect } from '../../data/connect.ts'
import { busiestEdition } from '../../data/edition-keys.ts'
import { startPacedReaders } from '../../load/paced-readers.ts'
import type { PacedSaves, PacedSavesOrder, SavingEditor } from '../../load/paced-saves.ts'
import { startProgram } from '../../programs/program.ts'
import { milliseconds } from '../../results/figures.ts'
import { median, quantile } from '../../results/median.ts'
import { type Pair, summarize } from '../../results/pairs.ts'
import { pairsRow } from '../../results/rows.ts'
import type { Row } from '../../results/table.ts'
import { startApi } from '../../sites/api.ts'
import type { Bench } from '../../sites/bench.ts'

const editorCount = 20
const everyMs = 1_000
const readsPerSecond = 100
const maxSaveMs = 100
const maxSlower = 1.5

const draftSql = `
  WITH draft AS (
    INSERT INTO edition (date, slot, status, publish_at)
    VALUES ('2026-11-23', '10AM', 'draft', '2026-11-23T18:00:00Z') RETURNING id
  )
  INSERT INTO memo (edition_id, position, title, content)
  SELECT draft.id, position, 'Draft ' || position, '<p>Begun.</p>' FROM draft, generate_series(1, $1) position
  RETURNING id::text, version`
const publicSql = 'SELECT id::text, version FROM memo ORDER BY id DESC LIMIT $1'
const sessionSql = `
  WITH person AS (
    INSERT INTO person (email, name, roles) SELECT name || '@bench.example', name, '{editor}' FROM unnest($1::text[]) name
    RETURNING id, name
  )
  INSERT INTO desk_session (person_id, secret_hash, device, created_at, last_used_at)
  SELECT person.id, secrets.hash, '', now(), now()
  FROM person JOIN unnest($1::text[], $2::text[]) AS secrets (name, hash) USING (name)`

/**
 * Measures the saves of 20 editors, one a second each: half in the memos of a draft, half in working copies of published
 * memos, among ten years of editions. Compares reads of an edition meanwhile with those of an idle site.
 */
export async function measureAutosave(bench: Bench): Promise<Row[]> {
  const { databases, progress, quick } = bench
  return await bench.lifetime.within(async (lifetime) => {
    const { decade, dataDir } = await databases()
    const databaseUrl = await decade()
    const database = await connect(lifetime, databaseUrl)
    const params = { key: await busiestEdition(databaseUrl) }
    let editors = await createEditors(database)
    const api = await startApi(lifetime, { name: 'autosave-api', databaseUrl, dataDir })
    const readers = startPacedReaders(lifetime)
    const saver = startProgram(lifetime, new URL('../../load/paced-saves.ts', import.meta.url))
    const url = api.url + urlOf(listMemos, { params })
    const seconds = quick ? 4 : 15
    const ms: number[] = []

    const read = async (): Promise<number> => {
      const order = { url, headersInTurn: [{ Cookie: api.cookie }], perSecond: readsPerSecond, seconds }
      return quantile(await readers.read(order), 0.95)
    }
    const save = async (): Promise<number[]> => {
      const order: PacedSavesOrder = { url: api.url, editors, everyMs, seconds: seconds + 1 }
      const saves = await saver.request<PacedSaves>(order)
      editors = editors.map((editor, index) => ({ ...editor, version: saves.versions[index] ?? 0 }))
      return saves.ms
    }
    const round = async (): Promise<Pair> => {
      const idle = await read()
      const [busy, saved] = await Promise.all([read(), save()])
      ms.push(...saved)
      return { ours: busy, other: idle }
    }
    await Promise.all([read(), save()])
    const rounds: Pair[] = []
    while (rounds.length < (quick ? 1 : 5)) {
      rounds.push(await progress.step(`Saving and reading, round ${rounds.length + 1}`, round))
    }
    const p95 = quantile(ms, 0.95)
    return [
      {
        measure: `Save of one of ${editorCount} editors who save once a second: p95 of ${ms.length}`,
        figure: milliseconds(p95),
        target: `< ${maxSaveMs} ms`,
        passed: p95 < maxSaveMs,
      },
      { measure: 'the median of them', figure: milliseconds(median(ms)) },
      pairsRow(`GET an edition, ${readsPerSecond}/s, meanwhile: p95`, summarize(rounds), {
        text: milliseconds,
        other: 'idle',
        max: maxSlower,
      }),
    ]
  })
}

/** Creates editors with a session, each with a memo of their own. */
async function createEditors(database: pg.Client): Promise<SavingEditor[]> {
  const secrets = Array.from({ length: editorCount }, () => randomBytes(32).toString('base64url'))
  const names = secrets.map((_, index) => `editor${index}`)
  const hashes = secrets.map((secret) => createHash('sha256').update(secret).digest('hex'))
  await database.query(sessionSql, [names, hashes])
  const half = async (sql: string) =>
    (await database.query<{ id: string; version: number }>(sql, [editorCount / 2])).rows
  const memos = [...(await half(publicSql)), ...(await half(draftSql))]
  return secrets.map((secret, index) => ({
    cookie: `tidings_desk=${secret}`,
    memoId: memos[index]?.id ?? '',
    version: memos[index]?.version ?? 0,
  }))
}
