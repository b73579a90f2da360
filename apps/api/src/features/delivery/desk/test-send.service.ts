import { createHmac } from 'node:crypto'
import type { TestSendRequest } from '@tidings/contracts/delivery/deliveries'
import { parseEmailAddress } from '@tidings/contracts/membership/email-address'
import {
  type ChangeService,
  type DeskReply,
  type Editor,
  type Requester,
  replyWith,
} from '#features/desk/index.ts'
import type { SmsLimits } from '#features/sms-limits/index.ts'
import type { RateLimits } from '#http/limits/rate-limits.ts'
import type { BulkResult } from '#integrations/mail/bulk-mailer.ts'
import type { SmsResult } from '#integrations/sms/sms-sender.ts'
import type { Database, Db } from '#platform/database.ts'
import { fail } from '../delivery.errors.ts'
import { replyOf } from '../transports.ts'
import { findPersonAddress, listMembersAt } from './test-recipients.repository.ts'

export type TestSendDeps = {
  database: Database
  changes: ChangeService
  rateLimits: RateLimits
  smsLimits: SmsLimits
  appId: string
  secret: string
}

type Test = TestSendRequest & {
  /** The edition or digest, for the audit log. */
  subject: string
  /** Renders the message and returns a function that sends it. */
  prepare(): Promise<() => Promise<BulkResult | SmsResult>>
}

/** Sends editors' tests within the limits, with an audit entry that names the recipient. */
export function createTestSends({ database, changes, rateLimits, smsLimits, appId, secret }: TestSendDeps) {
  const key = createHmac('sha256', secret).update('recipient of a test').digest()

  /** Returns the members at an address or number; of a stranger's only a keyed hash. */
  async function recipientOf(db: Db, to: string): Promise<{ members: string[] } | { hash: string }> {
    const address = parseEmailAddress(to) ?? to
    const members = await listMembersAt(db, appId, address)
    if (members.length > 0) return { members }
    return { hash: createHmac('sha256', key).update(address).digest('base64url').slice(0, 22) }
  }

  /** Throws unless a person who may not publish sends a test to their own address. */
  async function requireOwnAddress(editor: Editor, to: string): Promise<void> {
    if (editor.kind === 'key' || editor.scopes.has('publish')) return
    const own = await findPersonAddress(database.db, editor.id)
    if (own === null || parseEmailAddress(to) !== own) throw fail('own-address-only')
  }

  async function sendText(to: string, prepare: Test['prepare']): Promise<BulkResult | SmsResult> {
    smsLimits.assertSmsNumber(to)
    const send = await prepare()
    const textId = await smsLimits.take({ kind: 'test', number: to })
    const result = await send()
    const isSent = result.outcome === 'accepted' || result.outcome === 'unknown'
    if (!isSent) await smsLimits.giveBack(textId)
    return result
  }

  return {
    /** Sends a test to one address, outside the ledger. Throws `too-many-requests` past a limit. */
    async send(requester: Requester, { subject, method, to, prepare }: Test): Promise<DeskReply> {
      await requireOwnAddress(requester.editor, to)
      const earlier = await changes.findReply(requester)
      if (earlier !== null) return earlier
      await rateLimits.consume('testSends', requester.editor.id)
      const result = to.startsWith('+') ? await sendText(to, prepare) : await (await prepare())()
      return await changes.run(requester, async (tx, audit) => {
        const recipient = await recipientOf(tx, to)
        await audit('delivery.test-send', subject, { method, recipient, outcome: result.outcome })
        const response = result.outcome === 'accepted' ? '' : replyOf(result)
        return replyWith({ outcome: result.outcome, response })
      })
    },
  }
}
