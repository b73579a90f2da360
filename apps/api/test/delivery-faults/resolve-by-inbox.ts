import { deskDelivery } from '@tidings/contracts/delivery/deliveries'
import { pageOf } from '@tidings/contracts/envelope'
import { expect } from 'vitest'
import { deliveryIdOf } from '#features/delivery/links/return-addresses.ts'
import type { TestDesk } from '../desk.ts'
import type { ReceivedMail } from './recording-mail-server.ts'

/** Resolves every unconfirmed message, as an editor with the mail server's log does. Returns their number. */
export async function resolveByInbox(desk: TestDesk, received: readonly ReceivedMail[]): Promise<number> {
  const accepted = new Set(received.map(({ deliveryId }) => deliveryId))
  for (let resolved = 0; ; ) {
    const page = await desk.call('GET', '/deliveries?state=unconfirmed&limit=100')
    const { data } = pageOf(deskDelivery).parse(page.json())
    if (data.length === 0) return resolved
    // A message that carries memos and a PDF is resolved for both.
    const messages = new Map(data.map(({ id, messageId }) => [messageId, id]))
    for (const [messageId, id] of messages) {
      const body = { as: accepted.has(deliveryIdOf(messageId)) ? 'sent' : 'send-again' }
      expect((await desk.call('POST', `/deliveries/${id}/resolve`, { body })).statusCode).toBe(200)
      resolved += 1
    }
  }
}
