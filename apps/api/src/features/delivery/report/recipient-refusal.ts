/** A receiving domain that refuses our emails, with the end of its wait and its reply. */
export type RefusingDomain = { domain: string; until: Date; reply: string }

/** Returns the domain of a recipient that refuses us; undefined for others and for numbers. */
export function refusalOf(recipient: string, domains: readonly RefusingDomain[]): RefusingDomain | undefined {
  const host = recipient.slice(recipient.lastIndexOf('@') + 1).toLowerCase()
  return domains.find(({ domain }) => domain === host)
}
