import { z } from 'zod'
import { count, optionalUrl, setting, text } from './setting.ts'
import { clockTimeRange, phoneCountries, price } from './setting-formats.ts'

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
  countries: setting('SMS_COUNTRIES', '', phoneCountries).describe(
    'The countries whose mobile numbers get codes and tests, as two-letter codes separated by commas: US,CA,GB. Islands with a code of their own, such as PR or JE, count separately. Default: PHONE_REGION. Numbers verified before are still texted.',
  ),
  dailyCap: count('SMS_DAILY_CAP', 1_000, [0, 1_000_000]).describe(
    'How many codes and tests are texted in 24 hours at most; 0 for no limit. Half of them is kept for members whose plan is paid or by invitation. Editions are never limited.',
  ),
  dailyCodesPerNumber: count('SMS_DAILY_CODES_PER_NUMBER', 3).describe(
    'How many codes one number, and one member, gets in 24 hours at most.',
  ),
  dailyCodesPerMember: count('SMS_DAILY_CODES_PER_MEMBER', 10),
  unverifiedPerHour: count('SMS_UNVERIFIED_PER_HOUR', 20).describe(
    'How many accounts may have unused codes of the last hour, or 5 times the usual if that is more. Beyond that, new accounts get no codes for six hours, and a warning is logged. `tidings deliveries allow-codes` ends that.',
  ),
  connections: count('SMS_CONNECTIONS', 5, [1, 100]).describe(
    'How many texts each worker hands over at once, and how many each second; 0 for no limit.',
  ),
  perSecond: count('SMS_PER_SECOND', 0, [0, 10_000]),
  maxSegments: count('SMS_SEGMENTS', 2, [1, 10]).describe(
    'In how many segments an edition is texted at most: 153 characters each, or 67 in scripts that GSM 03.38 lacks. Titles that do not fit are counted only.',
  ),
  lookupSeconds: count('TWILIO_LOOKUP_SECONDS', 600, [0, 86_400]).describe(
    'For how many seconds a text whose reply was lost is looked up at Twilio. Without a match it stays unconfirmed, and is not sent again by itself.',
  ),
  price: setting('SMS_PRICE', '0.0083 USD', price).describe(
    'What Twilio charges for one segment, and the currency. The desk shows with it what an edition costs by text.',
  ),
  quietHours: setting('SMS_QUIET_HOURS', '21:00-08:00', clockTimeRange).describe(
    "When no editions are texted, in each member's own time zone; off for never. They are sent afterwards. `start` and `dev` turn it off, except in production.",
  ),
})
