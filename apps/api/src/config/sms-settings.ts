import { z } from 'zod'
import { count, optionalUrl, setting, text } from './setting.ts'

/** The settings of texts. */
export const smsSettings = z.object({
  accountSid: setting(
    'TWILIO_ACCOUNT_SID',
    '',
    z.string().regex(/^(|AC[\da-f]{32})$/i, 'must be AC and 32 hexadecimal digits'),
  ).describe(
    'The Twilio account that sends texts: its SID, its auth token, and a phone number (+15551234567) or the SID of a messaging service. Without an account `start` uses an emulator; elsewhere no texts are sent.',
  ),
  authToken: text('TWILIO_AUTH_TOKEN', ''),
  from: setting(
    'TWILIO_FROM',
    '',
    z.string().regex(/^(|\+[1-9]\d{2,14}|MG[\da-f]{32})$/i, 'must be a number such as +15551234567, or MG…'),
  ),
  apiUrl: optionalUrl('TWILIO_API_URL').describe(
    'The address of a Twilio emulator. Leave it empty for Twilio.',
  ),
  connections: count('SMS_CONNECTIONS', 5, [1, 100]).describe(
    'How many texts each worker hands over at once, and how many each second; 0 for no limit.',
  ),
  perSecond: count('SMS_PER_SECOND', 0, [0, 10_000]),
})
