import { validateRequest } from 'twilio/lib/webhooks/webhooks.js'
import type { SmsWebhookVerifier } from './sms-webhook-verifier.ts'

/** Verifies requests signed with the auth token. Without an account, none are valid. */
export function createTwilioWebhookVerifier(account: { authToken: string } | null): SmsWebhookVerifier {
  return (signature, url, fields) =>
    account !== null && signature !== '' && validateRequest(account.authToken, signature, url, fields)
}
