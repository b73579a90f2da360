import { readdir, truncate } from 'node:fs/promises'
import path from 'node:path'
import { peakResident } from '../../probes/memory.ts'
import type { Lifetime } from '../../programs/lifetime.ts'
import { ratioText, whole } from '../../results/figures.ts'
import { limitRow } from '../../results/rows.ts'
import type { Row } from '../../results/table.ts'
import type { Bench } from '../../sites/bench.ts'
import type { DeliverySite } from '../../sites/delivery-site.ts'

const maxRatio = 1.2
const maxBytes = 300_000_000
const pdfBytes = 300_000

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
        return await sendOnce(site, inner, await site.draft())
      }),
    )
  const [min, max] = [await peakOf(few), await peakOf(many)]
  const measure = `Peak memory of a worker that sends an edition to ${whole(many)} members`
  return [
    {
      measure: `${measure}, against ${whole(few)}`,
      figure: megabytes(max),
      alternative: megabytes(min),
      ratio: ratioText(max / min),
      target: `≤ ${maxRatio}`,
      passed: max / min <= maxRatio,
    },
    limitRow(measure, max, maxBytes, megabytes),
  ]
}

/** Sends PDFs of 300 kB to members with a new worker. Returns its peak memory. */
export async function measurePdfMemory(
  { progress, lifetime }: Bench,
  site: DeliverySite,
  recipients: number,
): Promise<Row> {
  await site.choose(recipients, 'getPDFMethodByEmail')
  const peak = await progress.step(`Sending PDFs to ${whole(recipients)} members`, () =>
    lifetime.within(async (inner) => {
      const key = await site.draft()
      // The second request waits until the PDF of the first one is stored.
      for (let requests = 0; requests < 2; requests += 1) await site.requestPdf(key)
      await enlargePdfs(path.join(site.dataDir, 'pdf'))
      await site.mails.restart()
      const peak = await sendOnce(site, inner, key)
      const { first, messages } = await site.mails.count()
      if (messages !== recipients || first.length < pdfBytes) {
        throw new Error(`${messages} messages arrived, the first with ${first.length} bytes.`)
      }
      return peak
    }),
  )
  const measure = `Peak memory of a worker that sends ${whole(recipients)} PDFs of ${whole(pdfBytes / 1_000)} kB`
  return limitRow(measure, peak, maxBytes, megabytes)
}

/** Sends a draft with a new worker. Returns its peak memory. */
async function sendOnce(site: DeliverySite, inner: Lifetime, key: string): Promise<number> {
  const { pid, failure } = site.work(inner, `delivery-worker-${key}`)
  await site.publish(key)
  await Promise.race([site.waitUntilSent(key), failure])
  return await peakResident(pid)
}

/** Lengthens the stored PDFs: one without pictures is smaller than this. */
async function enlargePdfs(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.endsWith('.pdf')) await truncate(path.join(folder, name), pdfBytes)
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
