import { getExpectedTwilioSignature } from 'twilio/lib/webhooks/webhooks.js'
import { describe, expect, test } from 'vitest'
import { createTwilioWebhookVerifier } from './twilio-webhooks.ts'

const account = { authToken: 'token' }
const verify = createTwilioWebhookVerifier(account)
const fields = { To: '+15005551001', Body: 'Grüße & <b>', AccountSid: 'AC1', From: '+15005550006', Zone: '' }
const url = "https://news.example.com/webhooks/texts?delivery=a'b&c=%20d"

describe('a signature of Twilio’s SDK', () => {
  test.each([
    ['of the URL', url, url],
    ['of the URL with the port of https', url.replace('.com', '.com:443'), url],
    ['of the URL without its port', url, url.replace('.com', '.com:8443')],
    ['of http', 'http://news.example.com:80/a', 'http://news.example.com/a'],
  ])('%s is valid', (_name, signed, received) => {
    expect(verify(getExpectedTwilioSignature('token', signed, fields), received, fields)).toBe(true)
  })

  test.each([
    ['another token', getExpectedTwilioSignature('other', url, fields)],
    ['another URL', getExpectedTwilioSignature('token', `${url}x`, fields)],
    ['other fields', getExpectedTwilioSignature('token', url, { ...fields, Body: 'STOP' })],
    ['nothing', ''],
    ['another length', 'abc'],
  ])('of %s is invalid', (_name, signature) => {
    expect(verify(signature, url, fields)).toBe(false)
  })
})

test('without an account, no signature is valid', () => {
  const signature = getExpectedTwilioSignature('', url, fields)
  expect(createTwilioWebhookVerifier(null)(signature, url, fields)).toBe(false)
})
