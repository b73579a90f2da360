import { Webhook } from 'standardwebhooks'
import type { Clock } from '#platform/clock.ts'
import { equalInConstantTime } from '#platform/signing.ts'
import type { WebhookVerifier } from './webhook-verifier.ts'

const toleranceSeconds = 300

/** Verifies events signed as the Standard Webhooks specification says. An empty secret refuses all. */
export function createWebhookVerifier({ secret, clock }: { secret: string; clock: Clock }): WebhookVerifier {
  const webhook = secret === '' ? null : new Webhook(secret)
  return (body, headers) => {
    const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map(
      (name) => headers[`webhook-${name}`],
    )
    if (webhook === null || typeof id !== 'string' || typeof signatures !== 'string') return null
    if (!/^[\x21-\x7e]{1,200}$/.test(id) || typeof timestamp !== 'string' || !/^\d{1,12}$/.test(timestamp))
      return null
    const seconds = Number(timestamp)
    if (Math.abs(clock.now().getTime() / 1000 - seconds) > toleranceSeconds) return null
    const expected = webhook.sign(id, new Date(seconds * 1000), body)
    return signatures.split(' ').some((given) => equalInConstantTime(given, expected)) ? id : null
  }
}
