import { getReadiness } from '@tidings/contracts/desk/writing/readiness'
import { afterAll, expect, it, vi } from 'vitest'
import { createDeskUploads } from '../content/desk-uploads.ts'
import { createTestDesk } from '../desk.ts'
import { jpegPicture } from '../factories/pictures.ts'
import { startLinkedSites } from '../links/linked-sites.ts'
import { startTestApp } from '../test-app.ts'
import { createTestDatabase } from '../test-database.ts'
import { waitOptions } from '../wait-options.ts'
import { slowSite } from './slow-sites.ts'
import { startWatch } from './stopwatch.ts'

const key = '11-20-26-10AM'
const memosOfEdition = 8
const links = 40
const rounds = 40

const sites = await startLinkedSites(slowSite)
const site = await startTestApp({
  databaseUrl: await createTestDatabase(),
  overrides: { linkChecker: sites.linkChecker },
})
const desk = createTestDesk(site)
const origin = await site.listen()
afterAll(async () => {
  sites.stop()
  await site.close()
})

async function call(method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> {
  const reply = await fetch(`${origin}/desk/v1${path}`, {
    method,
    headers: { Authorization: site.editor, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  expect(reply.status).toBe(200)
  return await reply.json()
}

/** Returns the median of the milliseconds of calls. */
async function median(run: (round: number) => Promise<unknown>, count = rounds): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < count; round += 1) {
    const elapsed = startWatch()
    await run(round)
    times.push(elapsed())
  }
  return times.sort((one, other) => one - other)[Math.floor(count / 2)] ?? 0
}

it('measures previews and readiness', async () => {
  const { media } = (await createDeskUploads(site).file(await jpegPicture(1_200, 800))).json().data
  await desk.draft(key)
  const sentence = 'A sentence of the news has about ten words in it. '
  const memosOf = (round: number) =>
    Array.from({ length: memosOfEdition }, (_, index) => ({
      title: `Memo ${index} of round ${round}`,
      memo_content: `<p>${sentence.repeat(6)}</p><p>${sentence.repeat(6)}</p>`,
      media,
    }))
  const preview = (form: string) => async (round: number) =>
    await call('POST', `/preview/${form}`, { edition: key, memos: memosOf(round) })
  const result: number[] = []
  for (const form of ['phone', 'email', 'sms', 'pdf']) {
    await preview(form)(-1)
    result.push(await median(preview(form)))
  }

  for (const index of Array.from({ length: links / 5 }).keys()) {
    const hrefs = Array.from({ length: 5 }, (_, link) => {
      const isSilent = (index * 5 + link) % 20 === 0
      return `<a href="http://host-${(index * 5 + link) % 10}.example/${index}-${link}${isSilent ? '-silent' : ''}">x</a>`
    })
    await desk.addMemo(key, {
      title: `Linked memo ${index}`,
      memo_content: `<p>${hrefs.join(' ')}</p>`,
      media,
    })
  }
  const elapsed = startWatch()
  await vi.waitFor(async () => {
    const { data } = getReadiness.reply.parse(await call('GET', `/editions/${key}/readiness`))
    expect(data.isChecking).toBe(false)
  }, waitOptions)
  result.push(elapsed())
  result.push(await median(async () => await call('GET', `/editions/${key}/readiness`)))
  // biome-ignore lint/suspicious/noConsole: the bench reads this line.
  console.log(`› result ${result.join(' ')}`)
})
