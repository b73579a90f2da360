import { formatEditionKey } from '@tidings/contracts/edition-key'
import { expect } from 'vitest'
import { createTestDesk } from '../desk.ts'
import { draftEdition } from '../factories/editions.ts'
import type { TestApp } from '../test-app.ts'
import { noonDate } from './noon.ts'

/** Publishes today's edition, by the day of `noonZone`, to all members. Returns its memos and its run. */
export async function publishToday(site: TestApp, titles: readonly string[]) {
  const { context } = site
  const key = formatEditionKey(noonDate(), '10AM')
  const { memos } = await draftEdition(context, key, titles)
  const desk = createTestDesk(site)
  const reply = await desk.call('POST', `/editions/${key}/publish`, { body: { deliver: true } })
  expect(reply.statusCode).toBe(200)
  return { desk, memos, run: await context.database.db.deliveryRun.findFirstOrThrow() }
}
