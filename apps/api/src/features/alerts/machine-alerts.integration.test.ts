import { describe, expect, test } from 'vitest'
import { type AlertKind, alertKinds } from '#platform/alert-kinds.ts'
import { expectAlertLife } from '#test/mail/alert-life.ts'
import { startMailSite } from '#test/sites/mail-site.ts'
import { createAlerts, createConditions } from './index.ts'

const operator = 'night@operator.example'
const minuteMs = 60_000

const it = test
  .extend('env', { scope: 'file' }, () => ({ OPERATOR_EMAIL: operator }))
  .extend('mail', { scope: 'file' }, async ({ env }, { onCleanup }) => {
    const mail = await startMailSite({ working: false, env })
    onCleanup(() => mail.close())
    return mail
  })
  .extend('site', { scope: 'file' }, ({ mail }) => mail.site)
  .extend('checkOnly', ({ site: { context }, mail: { inbox } }) => {
    return (kind: AlertKind, change: Pick<Parameters<typeof createConditions>[0], 'diskOf'> = {}) => {
      const alerts = createAlerts({
        ...context,
        recipients: [operator],
        except: alertKinds.filter((other) => other !== kind),
        conditions: createConditions({ ...context, dataDir: context.config.dataDir, ...change }),
        site: { site: 'localhost', database: 'test' },
      })
      return async () => {
        await alerts.check()
        const mails = (await inbox.mailsTo(operator)).reverse()
        await inbox.clear()
        return mails
      }
    }
  })

describe('an alert about the machine', () => {
  it('of disk-low is told like the others, with the free space', async ({ site, checkOnly }) => {
    const disk = { freeBytes: 50e9, sizeBytes: 100e9 }
    const text = await expectAlertLife({
      kind: 'disk-low',
      clock: site.clock,
      check: checkOnly('disk-low', { diskOf: async () => disk }),
      begin: async () => {
        disk.freeBytes = 8e9
        return async () => {
          disk.freeBytes = 20e9
        }
      },
    })
    expect(text).toContain('Free: 8.0 GB of 100.0 GB')
    expect(text).toContain('Free space on the disk of DATA_DIR')
  })

  it('of backup-old is told like the others, with the time of the last one', async ({ site, checkOnly }) => {
    const { context, clock } = site
    const { db } = context.database
    const finishedAt = new Date(clock.now().getTime() - 25 * 60 * minuteMs)
    const record = (at: Date) =>
      db.backupRecord.create({ data: { finishedAt: at, bytes: 1n, kind: 'folder' } })
    const text = await expectAlertLife({
      kind: 'backup-old',
      clock,
      check: checkOnly('backup-old'),
      begin: async () => {
        await record(finishedAt)
        return () => record(clock.now())
      },
    })
    expect(text).toContain(`Last backup: ${finishedAt.toISOString()}`)
    expect(text).toContain('Run “tidings backup”')
    await db.backupRecord.deleteMany()
  })
})
