/**
 * Formats the day of a payment: `December 20, 2026`. Stripe counts its days in UTC, and so does this, so that emails and
 * Stripe's pages agree (ADR 0029); the day says so where it isn't the day in the site's zone.
 */
export function formatBillingDay(instant: Date, siteTimeZone: string): string {
  const [day, siteDay] = ['UTC', siteTimeZone].map((timeZone) =>
    new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone }).format(instant),
  )
  return day === siteDay ? `${day}` : `${day} (UTC)`
}
