import { describe, expect, test } from 'vitest'
import { createLazyPaymentGateway } from '#integrations/payments/lazy-payment-gateway.ts'
import { createFixedClock } from '#test/factories/fixed-clock.ts'
import { startTestApp, type TestApp, testNow } from '#test/test-app.ts'
import { createTestDatabase } from '#test/test-database.ts'

/** Each method of the gateway. One that is new fails here until it is in one of the lists. */
const reads = [
  'findAccount',
  'findOwner',
  'listSubscriptions',
  'listAllSubscriptions',
  'previewChange',
  'previewRenewal',
  'findPeriodCharge',
  'listPayments',
  'findRefund',
  'listFailedRefunds',
  'findDisputed',
  'findPaidInvoice',
  'listDisputes',
  'readEvent',
  'hasPrice',
]
const changes = [
  'createCustomer',
  'retireCustomer',
  'updateEmail',
  'startCheckout',
  'openPortal',
  'changeNow',
  'restoreSchedule',
  'changeAtPeriodEnd',
  'useDefaultCard',
  'cancelSubscription',
  'settleEnded',
  'refund',
  'cancelAll',
  'prepareCatalog',
  'syncCatalog',
  'syncPortal',
]

const reached = 'reached'
const accepted = { outcome: 'accepted' } as const

/** Roles that say when a message got past the guard. */
function createRoles(sent: string[]) {
  const send = (name: string) => async () => {
    sent.push(name)
    return accepted
  }
  const ends = { finish() {}, close() {} }
  return {
    clock: createFixedClock(testNow),
    mailer: { send: async () => void sent.push('mailer'), ...ends },
    bulkMailer: { concurrency: 1, send: send('bulkMailer'), ...ends },
    pushSender: { concurrency: 1, publicKey: 'key', accepts: async () => true, send: send('pushSender') },
    smsSender: {
      concurrency: 1,
      listTo: async () => [],
      send: async () => {
        sent.push('smsSender')
        return { ...accepted, id: 'SM1' }
      },
    },
    gateway: createLazyPaymentGateway(() => Promise.reject(new Error(reached))),
  }
}

const it = test
  .extend('sent', { scope: 'file' }, (): string[] => [])
  .extend('site', { scope: 'file' }, async ({ sent }, { onCleanup }) => {
    const site = await startTestApp({
      databaseUrl: await createTestDatabase(),
      working: false,
      overrides: createRoles(sent),
    })
    onCleanup(() => site.close())
    return site
  })

it.beforeEach(async ({ site, sent }) => {
  sent.length = 0
  await site.context.sendingGuard.check()
})
it.afterEach(({ site }) => site.context.sendingGuard.confirm())

/** Makes the database one that was copied into another database of its server. */
async function copyDatabase({ context }: TestApp): Promise<void> {
  await context.database.pool.query(
    "UPDATE delivery_control SET instance = regexp_replace(instance, '/[0-9]+/', '/1/')",
  )
}

const email = { to: 'ann@example.com', subject: '', messageId: 'a', headers: {} }
const filled = { parts: [''], values: [] }

/** Everything that sends a message, by the role it belongs to. */
const messages = {
  mailer: ({ context }: TestApp) => context.mailer.send({ ...email, html: '', text: '' }),
  bulkMailer: ({ context }: TestApp) =>
    context.bulkMailer.send({ ...email, envelopeFrom: null, html: filled, text: filled }),
  smsSender: ({ context }: TestApp) => context.smsSender.send({ to: '+491512345678', body: '' }),
  pushSender: ({ context }: TestApp) =>
    context.pushSender.send(
      { endpoint: 'https://push.example', p256dh: '', auth: '' },
      { payload: '', topic: '', ttlSeconds: 1 },
    ),
}

/** Calls a method of a gateway by its name, with no arguments: it is stopped before it reads them. */
async function callByName(gateway: object, name: string): Promise<unknown> {
  const method: unknown = Reflect.get(gateway, name)
  if (typeof method !== 'function') throw new Error(`${name} is no method`)
  const result: unknown = method()
  if (typeof result === 'object' && result !== null && Symbol.asyncIterator in result) {
    const pages: unknown = Reflect.get(result, 'next')
    return typeof pages === 'function' ? await pages.call(result) : undefined
  }
  return await result
}

describe('everything that leaves the site', () => {
  it.for(Object.entries(messages))(
    'is a message that waits in a copy: %s',
    async ([role, send], { site, sent }) => {
      await copyDatabase(site)
      const result = await send(site).catch((error: unknown) => error)
      expect(result).toMatchObject(role === 'mailer' ? { code: 'sending-held' } : { code: 'EHELD' })
      expect(sent).toEqual([])
      await site.context.sendingGuard.confirm()
      await send(site)
      expect(sent).toEqual([role])
    },
  )

  it('is a call of the gateway that these lists know', ({ site }) => {
    const methods = Object.keys(site.context.gateway).filter((name) => name !== 'isSetUp')
    expect(methods.sort()).toEqual([...reads, ...changes].sort())
  })

  it.for(['gateway', 'interactiveGateway'] as const)(
    'changes nothing at Stripe from a copy: %s',
    async (role, { site }) => {
      const gateway = site.context[role]
      await copyDatabase(site)
      for (const name of changes)
        await expect(callByName(gateway, name), name).rejects.toMatchObject({
          code: 'sending-held',
          status: 503,
        })
      for (const name of reads) await expect(callByName(gateway, name), name).rejects.toThrow(reached)
      await site.context.sendingGuard.confirm()
      for (const name of changes) await expect(callByName(gateway, name), name).rejects.toThrow(reached)
    },
  )

  it('is not held while an operator holds editions only', async ({ site, sent }) => {
    await site.context.sendingGuard.setHeld(testNow)
    await messages.mailer(site)
    expect(sent).toEqual(['mailer'])
  })

  it('waits while a dump is being restored', async ({ site }) => {
    await site.context.sendingGuard.assertOpen()
    const { pool } = site.context.database
    await pool.query('CREATE TABLE kept AS TABLE delivery_control; DELETE FROM delivery_control')
    await expect(messages.mailer(site)).rejects.toMatchObject({ code: 'sending-held' })
    await pool.query('INSERT INTO delivery_control SELECT * FROM kept; DROP TABLE kept')
    await expect(messages.mailer(site)).rejects.toMatchObject({ code: 'sending-held' })
  })
})
