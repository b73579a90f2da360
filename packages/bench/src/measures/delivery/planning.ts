import { milliseconds, whole } from '../../results/figures.ts'
import { takePairs } from '../../results/pairs.ts'
import { pairPrinter, pairsRow } from '../../results/rows.ts'
import type { Row } from '../../results/table.ts'
import type { Bench } from '../../sites/bench.ts'
import type { DeliverySite } from '../../sites/delivery-site.ts'

const maxRatio = 3
const columns = 'run_id, member_id, method, state, recipient, reason, updated_at'

/** Publishes editions to all members, and compares the time with a bare insert of as many rows. */
export async function comparePlanning(
  { quick, progress }: Bench,
  { database, choose, draft, publish }: DeliverySite,
  members: number,
): Promise<Row> {
  await choose(members)
  await publish(await draft())
  // The bare table has the same columns, primary key and unique index. Its rows are prepared.
  await database.query(`CREATE TABLE prepared AS SELECT ${columns} FROM delivery`)
  await database.query('CREATE TABLE bare_delivery (LIKE delivery INCLUDING DEFAULTS)')
  await database.query(
    'ALTER TABLE bare_delivery ADD PRIMARY KEY (id), ADD UNIQUE (run_id, member_id, method)',
  )
  await database.query('VACUUM ANALYZE prepared')
  const { rowCount } = await database.query('SELECT FROM prepared')
  if (rowCount !== members) throw new Error(`${rowCount} deliveries were planned for ${members} members.`)

  const timed = async (work: () => Promise<unknown>) => {
    const began = performance.now()
    await work()
    return performance.now() - began
  }
  let run = 1_000_000
  const result = await progress.step(`Planning deliveries to ${whole(members)} members`, () =>
    takePairs(
      quick ? 2 : 7,
      {
        async ours() {
          const key = await draft()
          return await timed(() => publish(key))
        },
        other() {
          run += 1
          return timed(() =>
            database.query(
              `INSERT INTO bare_delivery (${columns}) SELECT ${columns.replace('run_id', String(run))} FROM prepared`,
            ),
          )
        },
      },
      pairPrinter(progress.say, milliseconds),
    ),
  )
  // The worker would send them all.
  await database.query('DELETE FROM delivery_run')
  await database.query('DROP TABLE prepared, bare_delivery')
  return pairsRow(
    `Publishing an edition to ${whole(members)} members, with all their deliveries planned`,
    result,
    { text: milliseconds, other: 'bare INSERT … SELECT', max: maxRatio },
  )
}
