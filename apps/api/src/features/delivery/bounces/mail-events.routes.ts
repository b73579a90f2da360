import { mailEventSchema, receiveMailEvent } from '@tidings/contracts/mail-events'
import type { App } from '#http/app-type.ts'
import { register } from '#http/endpoints/register.ts'
import type { WebhookVerifier } from '#integrations/mail/webhook-verifier.ts'
import { createFail } from '#platform/errors.ts'
import type { BounceService } from './bounces.service.ts'

type Deps = { bounces: BounceService; verifyMailWebhook: WebhookVerifier }

const fail = createFail({
  'invalid-signature': () => [400, 'The signature of this event isn’t valid.'],
  'unreadable-event': () => [400, 'This event cannot be read.'],
})

const maxBytes = 100_000

/** Registers the webhook of mail services. Keeps the raw body, because its bytes are signed. */
export function registerMailEventRoutes(app: App, { bounces, verifyMailWebhook }: Deps): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBytes }, (_request, body, done) =>
    done(null, body),
  )
  register(
    app,
    receiveMailEvent,
    async (request) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const id = verifyMailWebhook(body, request.headers)
      if (id === null) throw fail('invalid-signature')
      const event = mailEventSchema.safeParse(parseJson(body))
      if (!event.success) throw fail('unreadable-event')
      await bounces.receiveEvent(id, event.data)
      return { data: { received: true as const } }
    },
    { bodyLimit: maxBytes },
  )
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return null
  }
}
