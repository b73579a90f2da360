/** Returns a HAR file for the load driver: requests for one address with these headers in rotation. */
export function harOf(url: string, headersInTurn: readonly Record<string, string>[]): object {
  const entries = headersInTurn.map((headers) => ({
    request: {
      method: 'GET',
      url,
      headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
    },
  }))
  return { log: { entries } }
}
