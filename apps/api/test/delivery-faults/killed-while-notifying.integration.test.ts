import { expect, it, onTestFinished, vi } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { createRecipient } from '../factories/recipients.ts'
import { startWorkerProcess } from '../faults/site-process.ts'
import { temporaryFolder } from '../faults/temporary-folder.ts'
import { type Subscription, startPushService } from '../push/push-service.ts'
import { useTestApp } from '../test-app.ts'
import { createTestDatabase } from '../test-database.ts'
import { waitOptions } from '../wait-options.ts'
import { noonZone } from './noon.ts'
import { publishToday } from './publish-today.ts'

const atOnce = 20
const members = 23

it('notifications in flight when their worker is killed stay unconfirmed, and none is sent twice', async () => {
  const service = await startPushService({ now: systemClock.now })
  onTestFinished(() => service.stop())
  const databaseUrl = await createTestDatabase()
  const env = {
    ...service.env,
    SITE_URL: 'http://localhost:3000',
    SITE_TIME_ZONE: noonZone,
    DELIVERY_DELAY_SECONDS: '0',
    // Longer than the service takes: those in flight stay so until the worker is killed.
    PUSH_TIMEOUT_SECONDS: '120',
    DATA_DIR: await temporaryFolder(),
  }
  const site = await useTestApp({ databaseUrl, working: false, env, overrides: { clock: systemClock } })
  const { db } = site.context.database
  const browsers: Subscription[] = []
  for (let each = 0; each < members; each += 1) {
    const { memberId } = await createRecipient(site, { customFields: {} })
    const browser = await service.addBrowser(site, memberId)
    // It has the message, and doesn't reply.
    await service.replyWith(browser, { slowMs: 60_000 })
    browsers.push(browser)
  }
  const counts = () => Promise.all(browsers.map(async (browser) => (await service.received(browser)).length))
  const { run } = await publishToday(site, ['First'])
  const worker = await startWorkerProcess({ databaseUrl, env })
  await vi.waitFor(
    async () => expect((await counts()).filter((count) => count === 1)).toHaveLength(atOnce),
    waitOptions,
  )

  await worker.end('SIGKILL')
  for (const browser of browsers) await service.replyWith(browser, {})
  await db.deliverySender.updateMany({ data: { heartbeatAt: new Date(0) } })
  await site.context.deliverySchedule.sweep()
  await startWorkerProcess({ databaseUrl, env })
  await vi.waitFor(
    async () =>
      expect(await db.deliveryRun.findUnique({ where: { id: run.id } })).toMatchObject({ state: 'done' }),
    waitOptions,
  )

  const states = await db.delivery.groupBy({ by: ['state'], _count: true, orderBy: { state: 'asc' } })
  expect(states).toMatchObject([
    { state: 'sent', _count: members - atOnce },
    { state: 'unconfirmed', _count: atOnce },
  ])
  expect(await counts()).toEqual(browsers.map(() => 1))
})
