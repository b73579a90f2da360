import { receiveSms, receiveSmsStatus } from '@tidings/contracts/delivery/sms-webhooks'
import type { App } from '#http/app-type.ts'
import { register } from '#http/endpoints/register.ts'
import type { SmsWebhookVerifier } from '#integrations/sms/sms-webhook-verifier.ts'
import { createFail } from '#platform/errors.ts'
import type { SmsEvents } from './sms-events.service.ts'

type Deps = { smsEvents: SmsEvents; verifySmsWebhook: SmsWebhookVerifier; siteUrl: URL }

const fail = createFail({ 'invalid-signature': () => [403, 'The signature of this event isn’t valid.'] })

const maxBytes = 100_000

/** Registers the webhooks of Twilio, which are signed for the site's own URL. */
export function registerSmsEventRoutes(app: App, { smsEvents, verifySmsWebhook, siteUrl }: Deps): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: maxBytes },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  )

  /** Returns the fields of a request. Throws `invalid-signature`. */
  function fieldsOf({
    url,
    body,
    headers,
  }: {
    url: string
    body: unknown
    headers: Record<string, unknown>
  }) {
    const fields = Object.fromEntries(body instanceof URLSearchParams ? body : [])
    const signature = String(headers['x-twilio-signature'] ?? '')
    if (!verifySmsWebhook(signature, `${siteUrl.origin}${url}`, fields)) throw fail('invalid-signature')
    return fields
  }

  register(
    app,
    receiveSmsStatus,
    async (request, reply) => {
      const { MessageStatus: status = '', ErrorCode: errorCode = '', To: number = '' } = fieldsOf(request)
      const { delivery: deliveryId } = request.query
      if (deliveryId !== undefined) await smsEvents.record({ deliveryId, number, status, errorCode })
      return reply.type('text/xml').send('<Response/>')
    },
    { bodyLimit: maxBytes },
  )

  register(
    app,
    receiveSms,
    async (request, reply) => {
      const {
        MessageSid: id = '',
        From: from = '',
        Body: body = '',
        OptOutType: optOutType = '',
      } = fieldsOf(request)
      const text = await smsEvents.receive({ id, from, body, optOutType })
      const message = text === null ? '' : `<Message>${escapeXml(text)}</Message>`
      return reply.type('text/xml').send(`<Response>${message}</Response>`)
    },
    { bodyLimit: maxBytes },
  )
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
