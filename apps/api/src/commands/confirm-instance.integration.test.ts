import { rm } from 'node:fs/promises'
import { describe, expect } from 'vitest'
import { createRecipient } from '#test/factories/recipients.ts'
import { guardTest, sendFirst, sendingFolderOf } from '#test/sites/guarded-site.ts'
import { runInProcess } from '#test/sites/run-in-process.ts'
import type { TestApp } from '#test/test-app.ts'

const failoverToken = 'f41l0ver-t0ken-of-the-tests-0123456789'
const base = guardTest({ env: { FAILOVER_TOKEN: failoverToken } })
const it = base.extend('run', { scope: 'file' }, ({ delivery }) => {
  const { config } = delivery.site.context
  return async (
    args: string[],
    { answer, ...change }: { failoverToken?: string | undefined; answer?: string } = {},
  ) => {
    const own = { ...config, delivery: { ...config.delivery, ...change } }
    return await runInProcess(['deliveries', 'confirm-instance', ...args], own, answer)
  }
})
it.beforeEach(async ({ delivery }) => {
  await delivery.db.$executeRaw`DELETE FROM jobs.job`
  await delivery.db.$executeRaw`DELETE FROM delivery`
  await delivery.db.deliveryRun.deleteMany()
})

const key = '11-20-26-A'
const confirmed = 'This database sends from now on.\n'

const sends = { code: 0, printed: confirmed, errors: '' }

/** Changes the row that says which database sends, as its own writer. */
async function changeControl({ context }: TestApp, set: string): Promise<void> {
  await context.database.pool.query(
    `UPDATE delivery_control SET written_by = pg_current_xact_id()::text::bigint, ${set}`,
  )
}

const promote = "instance = regexp_replace(instance, '/[0-9A-F]{8}/', '/000000FF/')"
const moveHost = "instance = regexp_replace(instance, '[^/]+$', 'other.example')"

describe('deliveries confirm-instance', () => {
  it('says why, what would go out and since when, and refuses without a terminal', async ({
    delivery,
    run,
  }) => {
    const { site, db } = delivery
    const { context } = site
    await sendFirst(delivery)
    await delivery.publish(key, ['First'], { deliver: true })
    const app = (await context.apps.directory()).byId.get(context.config.site.appId)
    if (app === undefined) throw new Error('The site has no app.')
    await context.database.transaction(async (tx) => {
      await context.emails.enqueue(tx, app, 'ann@example.com', { kind: 'email-waiting' }, { cause: '1' })
      await context.emails.enqueue(tx, app, 'ben@example.com', { kind: 'email-waiting' }, { cause: '2' })
    })
    await changeControl(site, moveHost)

    const { code, errors: refusal } = await run([])
    expect(code).toBe(2)
    const count = await db.delivery.count({ where: { state: 'planned' } })
    expect(count).toBeGreaterThan(0)
    expect(refusal).toContain('This database belongs to a site with another host name.')
    expect(refusal).toMatch(
      new RegExp(`${count} × emails of editions, the oldest of 2026-11-20T\\d\\d:\\d\\dZ`),
    )
    expect(refusal).toMatch(/2 × emails about accounts and payments, the oldest of 20\d\d-\d\d-\d\dT/)
    expect(refusal).toContain('Nothing was done. Without a terminal, confirm with --yes.')
    expect(refusal).not.toContain('@example.com')
    expect(await context.sendingGuard.check()).toBe('other-host-name')
    expect(await run(['--yes'])).toEqual(sends)
    expect(await context.sendingGuard.check()).toBeNull()
  })

  it.for([
    ['y', { code: 0, printed: confirmed }, null],
    ['n', { code: 1, printed: '' }, 'other-host-name'],
  ] as const)(
    'does what the person at the terminal answers: %s',
    async ([answer, result, hold], { delivery, run }) => {
      const { context } = delivery.site
      await createRecipient(delivery.site)
      await context.sendingGuard.check()
      await changeControl(delivery.site, moveHost)
      const { errors, ...done } = await run([], { answer })
      expect(done).toEqual(result)
      expect(errors).toContain('Let this one send?')
      expect(await context.sendingGuard.check()).toBe(hold)
    },
  )

  it('doesn’t ask where nothing waits for a person', async ({ delivery, run }) => {
    await delivery.site.context.sendingGuard.check()
    expect(await run([])).toEqual(sends)
  })

  it.for([[['yes']], [['--fenced-by']], [['--all']]])(
    'fails with its usage for %j',
    async ([args], { run }) => {
      const { code, errors } = await run(args ?? [])
      expect(code).toBe(2)
      expect(errors).toContain('Add --help')
    },
  )
})

describe('deliveries confirm-instance --fenced-by', () => {
  it('confirms a promoted standby by itself, once', async ({ delivery, run }) => {
    const { sendingGuard } = delivery.site.context
    await sendFirst(delivery)
    await changeControl(delivery.site, promote)
    expect(await sendingGuard.check()).toBe('other-timeline')
    expect(await run(['--fenced-by', failoverToken])).toEqual(sends)
    expect(await sendingGuard.check()).toBeNull()
    expect((await run(['--fenced-by', failoverToken])).printed).toBe('This database sends already.\n')
    await delivery.send(await delivery.publish('11-20-26-C'))
    expect(delivery.script.sent.length).toBeGreaterThan(0)
  })

  it.for([
    ['the token is another one', promote, 'x'.repeat(38), {}, 'not the one in FAILOVER_TOKEN'],
    ['there is no token', promote, failoverToken, { failoverToken: undefined }, 'FAILOVER_TOKEN is not set'],
    ['the host name is another one, too', `${promote}`, failoverToken, {}, 'another host name'],
    ['it was restored', 'epoch = epoch', failoverToken, {}, 'was restored from a dump'],
    ['its workers know more', promote, failoverToken, {}, 'older than what its workers have sent'],
    ['the folder is new', promote, failoverToken, {}, 'has no record of what this database sent'],
  ] as const)('refuses and says why if %s', async ([what, set, token, change, reason], { delivery, run }) => {
    const { context } = delivery.site
    const { pool } = context.database
    await sendFirst(delivery)
    await changeControl(delivery.site, set)
    if (what.startsWith('the host')) await changeControl(delivery.site, moveHost)
    if (what === 'it was restored') await pool.query('UPDATE delivery_control SET epoch = epoch')
    if (what === 'its workers know more') await pool.query('UPDATE sending_mark SET counter = 0')
    if (what === 'the folder is new') await rm(sendingFolderOf(delivery), { recursive: true })
    const { code, errors: failure } = await run(['--fenced-by', token], change)
    expect(code).toBeGreaterThan(0)
    expect(failure).toContain(reason)
    expect(failure).not.toContain(token)
    expect(await context.sendingGuard.read()).not.toBeNull()
  })
})
