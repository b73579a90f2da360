import { webhookReply } from '@tidings/contracts/membership/billing'
import { paths } from '@tidings/contracts/paths'
import type { App } from '#http/app-type.ts'
import type { WebhookService } from './webhooks.service.ts'

const maxBytes = 1_000_000

/** Keeps the raw body, because Stripe signs its bytes. */
export function registerWebhookRoutes(app: App, { webhooks }: { webhooks: WebhookService }): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBytes }, (_request, body, done) =>
    done(null, body),
  )

  app.post(
    paths.stripeWebhook,
    {
      bodyLimit: maxBytes,
      config: { access: 'signed' },
      schema: {
        tags: ['Payments'],
        summary: 'Receives an event from Stripe',
        response: { 200: webhookReply },
      },
    },
    async (request) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const { 'stripe-signature': signature } = request.headers
      await webhooks.receive(body, typeof signature === 'string' ? signature : undefined)
      return { data: { received: true as const } }
    },
  )
}
