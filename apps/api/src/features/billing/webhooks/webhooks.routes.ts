import { webhookReply } from '@tidings/contracts/billing'
import { paths } from '@tidings/contracts/paths'
import type { App } from '#http/app-type.ts'
import type { WebhookService } from './webhooks.service.ts'

const mostBytes = 1_000_000

/** Where the payment service tells of what has happened. The signature is over the bytes, so they are kept as they came. */
export function registerWebhookRoutes(app: App, { webhooks }: { webhooks: WebhookService }): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: mostBytes }, (_request, body, done) =>
    done(null, body),
  )

  app.post(
    paths.stripeWebhook,
    {
      bodyLimit: mostBytes,
      config: { access: 'signed' },
      schema: {
        tags: ['Payments'],
        summary: 'Takes an event of the payment service, once',
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
