import type { LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'
import { withoutSignatures } from '../links/without-signatures.ts'
import type { DeliverySite } from '../sites/delivery-site.ts'

/** Creates the calls that preview and test one edition, as it is stored or with unsaved text. */
export function unsavedTextOf(edition: string) {
  return {
    /** Sends a test, by email unless the body says otherwise, and expects that it is accepted. */
    async sendTest({ desk }: DeliverySite, body: object): Promise<LightMyRequestResponse> {
      const reply = await desk.call('POST', `/editions/${edition}/test-send`, {
        body: { to: 'desk@example.com', ...body },
      })
      expect([reply.statusCode, reply.json().data]).toEqual([200, { outcome: 'accepted', response: '' }])
      return reply
    },
    /** Previews unsaved text. Returns the data of the reply, and the page behind its address. */
    async preview({ desk, site }: DeliverySite, method: string, unsaved: object) {
      const body = method === 'digest' ? unsaved : { edition, ...unsaved }
      const { data } = (await desk.call('POST', `/preview/${method}`, { body })).json()
      const page = data.url === undefined ? null : await site.app.inject({ url: new URL(data.url).pathname })
      return { ...data, html: page?.body ?? '', bytes: page?.rawPayload ?? Buffer.alloc(0) }
    },
  }
}

/** Returns what people see of an email, without the mark of a test and without signatures. */
export function seen(email: { subject?: string; html?: string; text?: string } | undefined) {
  return {
    subject: email?.subject?.replace('[Test] ', ''),
    html: withoutSignatures(email?.html),
    text: withoutSignatures(email?.text),
  }
}
