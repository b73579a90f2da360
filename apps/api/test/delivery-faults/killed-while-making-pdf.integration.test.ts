import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { open, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished, vi } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { createRecipient } from '../factories/recipients.ts'
import { startWorkerProcess } from '../faults/site-process.ts'
import { temporaryFolder } from '../faults/temporary-folder.ts'
import { startInbox } from '../mail/inbox.ts'
import { readPdf } from '../pdf/read-pdf.ts'
import { useTestApp } from '../test-app.ts'
import { createTestDatabase } from '../test-database.ts'
import { waitOptions } from '../wait-options.ts'
import { noonZone } from './noon.ts'
import { publishToday } from './publish-today.ts'

const siteEnv = { SITE_URL: 'http://localhost:3000', SITE_TIME_ZONE: noonZone, DELIVERY_DELAY_SECONDS: '0' }

/** Holds a worker's compiler before it reads the document that it got. */
async function holdCompiler() {
  const folder = await temporaryFolder()
  const [pipe, program] = [path.join(folder, 'pipe'), path.join(folder, 'node')]
  await promisify(execFile)('mkfifo', [pipe])
  await writeFile(program, `#!/bin/sh\nread -r _ < '${pipe}'\nexec '${process.execPath}' "$@"\n`, {
    mode: 0o700,
  })
  const startIt = encodeURIComponent(`process.execPath = ${JSON.stringify(program)}`)
  return {
    env: { NODE_OPTIONS: `--import=data:text/javascript,${startIt}` },
    /** Waits until a compiler has started. Returns a function that lets it go on. */
    async started(): Promise<() => Promise<void>> {
      // Without a reader, this way of opening a pipe fails at once.
      const flags = constants.O_WRONLY | constants.O_NONBLOCK
      const handle = await vi.waitFor(() => open(pipe, flags), waitOptions)
      return () => handle.close()
    },
  }
}

it('a worker killed while its PDF is made leaves no part of it, no compiler, and the edition to the next worker', async () => {
  const inbox = await startInbox()
  onTestFinished(() => inbox.stop())
  const dataDir = await temporaryFolder()
  const databaseUrl = await createTestDatabase()
  const site = await useTestApp({
    databaseUrl,
    working: false,
    env: siteEnv,
    overrides: { clock: systemClock },
  })
  const { db } = site.context.database
  const { email } = await createRecipient(site, { customFields: { getPDFMethodByEmail: true } })
  const { run } = await publishToday(site, ['Ships'])
  const env = { ...siteEnv, SMTP_URL: inbox.smtpUrl, DATA_DIR: dataDir }

  const compiler = await holdCompiler()
  const worker = await startWorkerProcess({ databaseUrl, env: { ...env, ...compiler.env } })
  const goOn = await compiler.started()
  const closed = worker.end('SIGKILL')
  await vi.waitFor(() => expect(worker.isRunning()).toBe(false), waitOptions)
  await goOn()
  // The compiler shares the worker's output, which closes once both have exited.
  await closed
  expect(await readdir(dataDir)).not.toContain('pdf')
  expect(await db.fileClaim.updateMany({ data: { claimedUntil: new Date(0) } })).toEqual({ count: 1 })

  await db.deliverySender.updateMany({ data: { heartbeatAt: new Date(0) } })
  await site.context.deliverySchedule.sweep()
  await startWorkerProcess({ databaseUrl, env })
  await vi.waitFor(
    async () =>
      expect(await db.deliveryRun.findUnique({ where: { id: run.id } })).toMatchObject({ state: 'done' }),
    waitOptions,
  )
  expect(await db.delivery.findMany({ select: { state: true, reason: true } })).toEqual([
    { state: 'sent', reason: null },
  ])
  const mails = await inbox.mailsTo(email)
  expect(mails).toHaveLength(1)
  const pdf = Buffer.from(mails[0]?.attachments[0]?.content ?? '', 'base64')
  expect((await readPdf(pdf)).bookmarks).toEqual(['Ships'])
})
