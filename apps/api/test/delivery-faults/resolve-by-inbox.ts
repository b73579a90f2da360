import { deskDelivery } from '@tidings/contracts/deliveries'
import { pageOf } from '@tidings/contracts/desk/desk'
import { expect } from 'vitest'
import type { TestDesk } from '../desk.ts'
import type { ReceivedMail } from './recording-mail-server.ts'

/** Resolves every unconfirmed delivery, as an editor with the mail server's log does. Returns their number. */
export async function resolveByInbox(desk: TestDesk, received: readonly ReceivedMail[]): Promise<number> {
  const accepted = new Set(received.map(({ deliveryId }) => deliveryId))
  for (let resolved = 0; ; ) {
    const page = await desk.call('GET', '/deliveries?state=unconfirmed&limit=100')
    const { data } = pageOf(deskDelivery).parse(page.json())
    if (data.length === 0) return resolved
    for (const { id } of data) {
      const body = { as: accepted.has(id) ? 'sent' : 'send-again' }
      expect((await desk.call('POST', `/deliveries/${id}/resolve`, { body })).statusCode).toBe(200)
      resolved += 1
    }
  }
}
