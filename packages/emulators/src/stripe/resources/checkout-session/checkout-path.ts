/** Where a session's page is, below the origin. The id cannot be guessed, so whoever knows the path may use it. */
export function checkoutPath(id: string): string {
  return `/stripe/checkout/${id}`
}
