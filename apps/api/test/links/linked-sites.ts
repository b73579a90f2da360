import { createServer, type RequestListener } from 'node:http'
import { createHttpLinkChecker } from '#integrations/links/http-link-checker.ts'
import type { LinkChecker } from '#integrations/links/link-checker.ts'

/** A public address, at which tests answer instead of the network. */
const publicAddress = '142.250.74.36'

/**
 * Starts a server that stands for all sites of the internet, and a checker that reaches it as them. `addresses` are those of
 * names; others are public.
 */
export async function startLinkedSites(
  listener: RequestListener,
  addresses: Readonly<Record<string, string>> = {},
): Promise<{ linkChecker: LinkChecker; stop(): void }> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const at = server.address()
  const port = at !== null && typeof at === 'object' ? String(at.port) : ''
  const linkChecker = createHttpLinkChecker({
    siteUrl: new URL('https://news.example'),
    timeoutMs: 2_000,
    async resolveName(hostname) {
      const isAddress = /^[\d.]+$|:/.test(hostname)
      const address = isAddress ? hostname : (addresses[hostname] ?? publicAddress)
      return [{ address, family: address.includes(':') ? 6 : 4 }]
    },
    dial: () => ({ address: '127.0.0.1', port }),
  })
  return {
    linkChecker,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}
