/**
 * Formats the day of a payment: `December 20, 2026`. Days are in UTC, like Stripe's (ADR 0029); `(UTC)` is added where
 * the site's zone has another day.
 */
export function formatBillingDay(instant: Date, siteTimeZone: string): string {
  const [day, siteDay] = ['UTC', siteTimeZone].map((timeZone) =>
    new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone }).format(instant),
  )
  return day === siteDay ? `${day}` : `${day} (UTC)`
}
