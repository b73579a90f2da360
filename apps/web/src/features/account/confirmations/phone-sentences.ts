import type { Phone } from '@tidings/contracts/membership/phone'

/** Where the field of the number is: on the same screen, or on the dashboard. */
export type NumberField = 'above' | 'in your account'

/** Returns what a member with a confirmed number should know before changing it; null for nothing. */
export function keptText(obstacle: NonNullable<Phone['obstacle']>): string | null {
  switch (obstacle) {
    case 'country-not-served':
      return 'We no longer confirm numbers from this country, so keep it: a new number must be from one of the countries above.'
    case 'not-mobile':
      return 'We no longer confirm numbers of this kind, so keep it: a new number must be a mobile number.'
    case 'email-not-verified':
      return null
  }
}

/** Says what a member must do before a code can be texted. */
export function missingText({ number, state, obstacle }: Phone, field: NumberField): string {
  if (number === null) {
    return state === 'missing'
      ? `To receive texts, add your mobile number ${field}.`
      : `To receive texts, correct your phone number ${field}.`
  }
  switch (obstacle) {
    case 'country-not-served':
      return field === 'above'
        ? `We don’t text numbers from the country of ${number}. To receive texts, enter a number from one of the countries above.`
        : `We don’t text numbers from the country of ${number}. To receive texts, enter another number ${field}.`
    case 'not-mobile':
      return `${number} isn’t a mobile number. To receive texts, enter a mobile number ${field}.`
    default:
      return `To receive texts, first confirm your email address above. Then we can text a code to ${number}.`
  }
}
