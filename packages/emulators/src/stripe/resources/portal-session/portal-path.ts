/** Where a portal session's pages are, below the origin. The id cannot be guessed, so whoever knows the path may use it. */
export function portalPath(id: string, rest = ''): string {
  return `/stripe/portal/${id}${rest}`
}
