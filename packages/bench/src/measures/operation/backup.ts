import { execFile } from 'node:child_process'
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import sharp from 'sharp'
import { connect } from '../../data/connect.ts'
import { fillDeliveries } from '../../data/fill-deliveries.ts'
import { whole } from '../../results/figures.ts'
import type { Row } from '../../results/table.ts'
import type { Bench } from '../../sites/bench.ts'
import { builtTidings } from '../../sites/built.ts'
import { startMembersSite } from '../../sites/members-site.ts'

const run = promisify(execFile)
const maxSeconds = 300
const editions = 5
const pictureWidths = [360, 720, 1080]
const countsSql = `
  SELECT (SELECT count(*)::int FROM member) AS members, (SELECT count(*)::int FROM delivery) AS deliveries,
    (SELECT count(*)::int FROM member_session) AS sessions, pg_database_size(current_database())::float8 AS bytes`

/** Measures a backup and its restore in place, with 100,000 members, what they received from five editions, and pictures. */
export async function measureBackup(bench: Bench): Promise<Row[]> {
  const { progress, quick } = bench
  return await bench.lifetime.within(async (lifetime) => {
    const site = await startMembersSite(bench, lifetime, { name: 'backup-api', size: quick ? 'few' : 'many' })
    const { dataDir, members } = await bench.databases()
    const databaseUrl = await members(quick ? 'few' : 'many')
    const count = quick ? 1_000 : 100_000
    await progress.step(`Storing ${editions} editions sent to ${whole(count)} members`, async () => {
      const database = await connect(lifetime, databaseUrl)
      await fillDeliveries(database, { runs: editions, members: count })
    })
    await site.database.end()
    const folder = join(dataDir, 'backups')
    const ownData = join(dataDir, 'backup-site')
    await progress.step('Storing pictures', () => fillPictures(join(ownData, 'media'), quick ? 10 : 500))
    const tidings = async (...args: string[]): Promise<number> => {
      const began = performance.now()
      const env = { PATH: process.env.PATH, DATABASE_URL: databaseUrl, DATA_DIR: ownData }
      await run(process.execPath, [builtTidings, ...args, '--json'], { env, maxBuffer: 10_000_000 })
      return (performance.now() - began) / 1_000
    }
    const before = await readCounts(databaseUrl)
    const backupSeconds = await progress.step('Making a backup', () => tidings('backup', '--to', folder))
    const [name = ''] = await readdir(folder)
    const file = join(folder, name)
    const { size } = await stat(file)
    await rm(join(ownData, 'media'), { recursive: true })
    const restoreSeconds = await progress.step('Restoring it in place', () =>
      tidings('restore', file, '--replace', '--yes'),
    )
    const after = await readCounts(databaseUrl)
    const isSame = after.members === before.members && after.deliveries === before.deliveries
    const what = `${whole(before.members)} members, ${whole(before.deliveries)} deliveries, a database of ${whole(before.bytes / 1e6)} MB`
    return [
      timeRow(`Backup of ${what}: a file of ${whole(size / 1e6)} MB`, backupSeconds),
      timeRow('Restore of it in place', restoreSeconds),
      { measure: 'Members and deliveries after it', figure: isSame ? 'the same' : 'others', passed: isSame },
    ]
  })
}

function timeRow(measure: string, seconds: number): Row {
  return {
    measure,
    figure: `${seconds.toFixed(1)} s`,
    target: `< ${maxSeconds} s`,
    passed: seconds < maxSeconds,
  }
}

async function readCounts(databaseUrl: string) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ members: number; deliveries: number; bytes: number }>(countsSql)
  await client.end()
  return rows[0] ?? { members: 0, deliveries: 0, bytes: 0 }
}

/** Stores pictures as the site does: each in three widths. */
async function fillPictures(folder: string, count: number): Promise<void> {
  const noise = sharp({
    create: {
      width: 1080,
      height: 720,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 30 },
    },
  })
  const picture = await noise.jpeg({ quality: 70 }).toBuffer()
  for (let number = 0; number < count; number += 1) {
    const name = `picture${String(number).padStart(13, '0')}`
    const own = join(folder, name.slice(0, 2), name)
    await mkdir(own, { recursive: true })
    for (const width of pictureWidths) await writeFile(join(own, `${width}.jpeg`), picture)
  }
}
