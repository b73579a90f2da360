import { waitInWords } from '#http/limits/rate-limits.ts'
import { createFail } from '#platform/errors.ts'

const retryAfter = (seconds: number) => ({ headers: { 'Retry-After': String(seconds) } })

export const fail = createFail({
  'country-not-served': (countries: string) => [
    400,
    `We don’t text numbers from this country. Use a mobile number from: ${countries}.`,
  ],
  'not-mobile': (countries: string) => [
    400,
    `This isn’t a mobile number, so we can’t text it. Use a mobile number from: ${countries}.`,
  ],
  // The same for a number, a member and the site: it must not reveal what others requested for a number.
  'too-many-requests': (kind: 'code' | 'test', seconds: number) => [
    429,
    kind === 'code'
      ? `We’ve sent all the codes we can for now. Try again ${waitInWords(seconds)}.`
      : `The site’s texts for today are used up (SMS_DAILY_CAP). Try again ${waitInWords(seconds)}.`,
    retryAfter(seconds),
  ],
  'phone-codes-stopped': (seconds: number) => [
    503,
    `We aren’t texting codes to new accounts right now. Try again ${waitInWords(seconds)}, or choose email.`,
    retryAfter(seconds),
  ],
})
