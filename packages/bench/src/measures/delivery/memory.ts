import type { Bench } from '../../bench.ts'
import { peakResident } from '../../probes/memory.ts'
import { ratioText, whole } from '../../results/figures.ts'
import { limitRow } from '../../results/rows.ts'
import type { Row } from '../../results/table.ts'
import type { DeliverySite } from '../../sites/delivery-site.ts'

const mostRatio = 1.2
const mostBytes = 300_000_000

/** Sends an edition to few members and one to ten times as many, each with a new worker, and compares its peak memory. */
export async function compareMemory(
  { progress, lifetime }: Bench,
  site: DeliverySite,
  { few, many }: { few: number; many: number },
): Promise<Row[]> {
  const peakOf = (recipients: number) =>
    progress.step(`Sending an edition to ${whole(recipients)} members`, () =>
      lifetime.within(async (inner) => {
        await site.choose(recipients)
        const { pid, failure } = site.work(inner, `delivery-worker-${recipients}`)
        const key = await site.draft()
        await site.publish(key)
        await Promise.race([site.waitUntilSent(key), failure])
        return await peakResident(pid)
      }),
    )
  const [least, most] = [await peakOf(few), await peakOf(many)]
  const measure = `Peak memory of a worker that sends an edition to ${whole(many)} members`
  return [
    {
      measure: `${measure}, against ${whole(few)}`,
      figure: megabytes(most),
      alternative: megabytes(least),
      ratio: ratioText(most / least),
      target: `≤ ${mostRatio}`,
      passed: most / least <= mostRatio,
    },
    limitRow(measure, most, mostBytes, megabytes),
  ]
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
