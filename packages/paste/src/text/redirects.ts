const googleHost = /^(?:www\.)?google\.(?:com|[a-z]{2}|com?\.[a-z]{2})$/
const targetProtocols = ['http:', 'https:', 'mailto:']

/** Returns the address that a link of Google leads to, as its author wrote it. Returns other addresses unchanged. */
export function unwrapRedirect(href: string): string {
  let address = href
  for (let target = targetOf(address); target !== null; target = targetOf(address)) address = target
  return address
}

function targetOf(href: string): string | null {
  const url = URL.parse(href)
  if (!url || !googleHost.test(url.hostname) || url.pathname !== '/url') return null
  const target = url.searchParams.get('q') ?? url.searchParams.get('url')
  const protocol = target === null ? undefined : URL.parse(target)?.protocol
  return protocol !== undefined && targetProtocols.includes(protocol) ? target : null
}
