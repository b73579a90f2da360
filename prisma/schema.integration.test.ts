import { cloneTemplate, testDatabaseName, testServerUrl } from '@tidings/launcher/test-database'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { diffMigrations } from './diff.ts'

const adminUrl = testServerUrl()
let client: pg.Client

beforeAll(async () => {
  client = new pg.Client({ connectionString: await cloneTemplate(adminUrl, testDatabaseName('prisma')) })
  await client.connect()
})

afterAll(() => client.end())

beforeEach(() => client.query('truncate edition, memo, article, editor_key, media, reader_contact cascade'))

async function insert(table: string, row: Record<string, unknown>): Promise<string> {
  const names = Object.keys(row)
  const marks = names.map((_, index) => `$${index + 1}`)
  const sql = `insert into ${table} (${names.join(', ')}) values (${marks.join(', ')}) returning *`
  const { rows } = await client.query<{ id: string }>(sql, Object.values(row))
  return rows[0]?.id ?? ''
}

const edition = { date: '2026-11-20', slot: '10AM', publish_at: '2026-11-20T18:00:00Z' }
const article = { title: 'Title', content: '<p>Text</p>' }
const key = { name: 'Desk', secret_hash: 'a'.repeat(64), scopes: ['read'] }
const media = { file: `${'a1'.repeat(10)}.jpg`, width: 3, height: 2, bytes: 100 }

describe('the tables', () => {
  test.each<[string, Record<string, unknown>]>([
    ['edition', edition],
    ['edition', { ...edition, status: 'published', published_at: '2026-11-20T18:00:01Z' }],
    ['edition', { ...edition, status: 'held', held_reason: 'Three hours late' }],
    ['edition', { ...edition, date: '2099-12-31' }],
    ['article', { ...article, status: 'published', published_at: '2026-11-20T18:00:01Z' }],
    ['article', { ...article, language: 'zh-Hant-TW' }],
    ['editor_key', { ...key, scopes: ['read', 'write', 'publish'] }],
    ['media', media],
    ['reader_contact', { kind: 'email', value: 'ann@example.com' }],
  ])('%s accepts %j', async (table, row) => {
    await expect(insert(table, row)).resolves.toBeDefined()
  })

  test.each<[string, string, Record<string, unknown>]>([
    ['edition_slot_check', 'edition', { ...edition, slot: '10 AM' }],
    ['edition_slot_check', 'edition', { ...edition, slot: '' }],
    ['edition_date_check', 'edition', { ...edition, date: '1999-12-31' }],
    ['edition_date_check', 'edition', { ...edition, date: '2100-01-01' }],
    ['edition_version_check', 'edition', { ...edition, version: 0 }],
    ['edition_published_at_check', 'edition', { ...edition, status: 'published' }],
    ['edition_published_at_check', 'edition', { ...edition, published_at: '2026-11-20T18:00:01Z' }],
    ['edition_held_reason_check', 'edition', { ...edition, status: 'held' }],
    ['edition_held_reason_check', 'edition', { ...edition, held_reason: 'Late' }],
    ['article_published_at_check', 'article', { ...article, status: 'published' }],
    ['article_language_check', 'article', { ...article, language: 'en_US' }],
    ['article_version_check', 'article', { ...article, version: 0 }],
    ['editor_key_scopes_check', 'editor_key', { ...key, scopes: [] }],
    ['editor_key_scopes_check', 'editor_key', { ...key, scopes: null }],
    ['editor_key_scopes_check', 'editor_key', { ...key, scopes: ['read', 'delete'] }],
    ['media_file_check', 'media', { ...media, file: 'short.jpg' }],
    ['media_file_check', 'media', { ...media, file: `${'a1'.repeat(10)}.png` }],
    ['media_size_check', 'media', { ...media, width: 0 }],
    ['media_size_check', 'media', { ...media, bytes: 0 }],
    ['reader_contact_value_check', 'reader_contact', { kind: 'email', value: '' }],
  ])('%s rejects in %s: %j', async (constraint, table, row) => {
    await expect(insert(table, row)).rejects.toMatchObject({ constraint })
  })

  test('a stored idempotent response has an HTTP status', async () => {
    const editorKeyId = await insert('editor_key', key)
    const row = { editor_key_id: editorKeyId, key: 'k', request_hash: 'b'.repeat(64), body: '{}' }
    await expect(insert('idempotency_record', { ...row, status: 99 })).rejects.toMatchObject({
      constraint: 'idempotency_record_status_check',
    })
  })

  test.each([
    ['memo_position_check', { position: 0 }],
    ['memo_like_count_check', { like_count: -1 }],
    ['memo_version_check', { version: 0 }],
    ['memo_language_check', { language: 'not a tag' }],
  ])('%s rejects a memo with %j', async (constraint, change) => {
    const editionId = await insert('edition', edition)
    const memo = { edition_id: editionId, position: 1, title: 'T', content: 'C', ...change }
    await expect(insert('memo', memo)).rejects.toMatchObject({ constraint })
  })

  test('memos can swap positions in a transaction, but not share one', async () => {
    const editionId = await insert('edition', edition)
    const memo = { edition_id: editionId, title: 'T', content: 'C' }
    const first = await insert('memo', { ...memo, position: 1 })
    await insert('memo', { ...memo, position: 2 })
    await client.query('update memo set position = 3 - position where edition_id = $1', [editionId])
    const { rows } = await client.query('select position from memo where id = $1', [first])
    expect(rows).toEqual([{ position: 2 }])
    await expect(client.query('update memo set position = 1')).rejects.toMatchObject({
      constraint: 'memo_edition_id_position_key',
    })
  })
})

describe('diffMigrations', () => {
  test('the migrations lead exactly to the schema files', async () => {
    expect((await diffMigrations(adminUrl)).trim()).toBe('-- This is an empty migration.')
  })
})
