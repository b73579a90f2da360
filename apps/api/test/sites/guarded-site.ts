import { rm } from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'vitest'
import { createContext } from '#context.ts'
import { registerJobs } from '#jobs.ts'
import { createRecipient } from '../factories/recipients.ts'
import { temporaryFolder } from '../faults/temporary-folder.ts'
import { type DeliverySite, deliveryTest } from './delivery-site.ts'

export const sendingFolderOf = ({ site }: DeliverySite) => path.join(site.context.config.dataDir, 'sending')

/** Returns the `it` of a file whose tests begin with a database and a DATA_DIR that have sent nothing. */
export function guardTest(...options: Parameters<typeof deliveryTest>) {
  const it = deliveryTest(...options)
  it.beforeEach(({ delivery }) => forgetSending(delivery))
  return it
}

/** Makes a database and a DATA_DIR ones that have sent nothing. */
export async function forgetSending(delivery: DeliverySite): Promise<void> {
  await rm(sendingFolderOf(delivery), { recursive: true, force: true })
  await delivery.site.context.database.pool.query(
    'DELETE FROM delivery_control; DELETE FROM sending_folder; DELETE FROM sending_mark',
  )
}

/** Sends a first edition, so that the folder and the database know each other. */
export async function sendFirst(delivery: DeliverySite): Promise<void> {
  for (let each = 0; each < 4; each += 1) await createRecipient(delivery.site)
  await delivery.send(await delivery.publish('11-20-26-B'))
  expect(delivery.script.sent).toHaveLength(4)
  delivery.script.sent.length = 0
}

/** Starts another worker on the same database, with a DATA_DIR of its own. */
export async function otherWorker(
  { site, mailer }: DeliverySite,
  change: { siteUrl?: string; dataDir?: string } = {},
) {
  const { config, clock, logger } = { ...site.context }
  const dataDir = change.dataDir ?? (await temporaryFolder())
  const url = change.siteUrl === undefined ? config.site : { ...config.site, identity: change.siteUrl }
  const context = createContext({ ...config, dataDir, site: url }, 'worker', {
    clock,
    logger,
    bulkMailer: mailer,
  })
  registerJobs(context)
  await context.start({ jobs: false, listening: false })
  return { context, dataDir, [Symbol.asyncDispose]: () => context.close() }
}
