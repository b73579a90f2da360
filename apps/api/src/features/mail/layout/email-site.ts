import { formatBillingDay } from '@tidings/contracts/membership/price-text'
import { formatMoney } from '#platform/money.ts'
import { oneLine } from '#platform/text/one-line.ts'
import { formatRecurringPrice, type RecurringPrice } from './payment-formats.ts'

export type EmailSite = ReturnType<typeof createEmailSite>

type Options = {
  appName: string
  siteUrl: URL
  contact: string
  /** The IANA zone whose days the emails name. */
  timeZone: string
  /** A BCP 47 tag, whose dates and amounts the emails show. */
  language: string
}

/** Creates the site's facts for every email: its name, pages, contact and calendar. */
export function createEmailSite({ appName, siteUrl, contact, timeZone, language }: Options) {
  const page = (screen: string) => new URL(`/#${screen}`, siteUrl.origin).href
  const clock = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'long', timeZone })
  const calendar = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone })
  return {
    appName: oneLine(appName),
    contact,
    contactUrl: `mailto:${contact}`,
    pages: {
      login: page('/account/login'),
      account: page('/account/dashboard'),
      changePlan: page('/account/change-plan'),
      resetPassword: page('/resetpassword'),
    },
    language,
    /** Formats a day, such as `December 20, 2026`, in the site's zone. */
    formatDay: (instant: Date) => calendar.format(instant),
    /** Formats a moment to the second, such as `December 20, 2026 at 9:15:00 AM PST`. */
    formatInstant: (instant: Date) => clock.format(instant),
    formatBillingDay: (instant: Date) => formatBillingDay(instant, timeZone, language),
    formatMoney: (amount: number, currency: string) => formatMoney(amount, currency, language),
    formatPrice: (price: RecurringPrice) => formatRecurringPrice(price, { timeZone, language }),
  }
}
