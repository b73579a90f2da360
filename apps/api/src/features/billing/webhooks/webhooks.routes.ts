import { receiveStripeEvent } from '@tidings/contracts/membership/billing'
import type { App } from '#http/app-type.ts'
import { register } from '#http/endpoints/register.ts'
import type { WebhookService } from './webhooks.service.ts'

const maxBytes = 1_000_000

/** Keeps the raw body, because Stripe signs its bytes. */
export function registerWebhookRoutes(app: App, { webhooks }: { webhooks: WebhookService }): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBytes }, (_request, body, done) =>
    done(null, body),
  )

  register(
    app,
    receiveStripeEvent,
    async (request) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const { 'stripe-signature': signature } = request.headers
      await webhooks.receive(body, typeof signature === 'string' ? signature : undefined)
      return { data: { received: true as const } }
    },
    { bodyLimit: maxBytes },
  )
}
