import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SmsWebhookVerifier } from './sms-webhook-verifier.ts'

/**
 * Verifies requests signed with the auth token. Without an account, none are valid. Twilio signs the URL, with or without
 * its port, followed by the names and values of the fields in order of the names.
 */
export function createTwilioWebhookVerifier(account: { authToken: string } | null): SmsWebhookVerifier {
  return (signature, url, fields) => {
    if (account === null || signature === '') return false
    const signed = Object.entries(fields)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .flat()
      .join('')
    return urlsOf(url).some((each) => {
      const expected = createHmac('sha1', account.authToken)
        .update(each + signed)
        .digest('base64')
      return isSame(Buffer.from(signature), Buffer.from(expected))
    })
  }
}

/** Returns the URL without and with a port, otherwise in the characters that Twilio signed. */
function urlsOf(url: string): string[] {
  const [, scheme, host, port, rest] = /^(https?:\/\/)([^/?#:]*)(:\d+)?(.*)$/s.exec(url) ?? []
  if (scheme === undefined) return [url]
  return [
    `${scheme}${host}${rest}`,
    `${scheme}${host}${port ?? (scheme === 'https://' ? ':443' : ':80')}${rest}`,
  ]
}

function isSame(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}
