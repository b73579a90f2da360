import { Agent, buildConnector, request } from 'undici'
import { createLimitByKey } from '#platform/limit-by-key.ts'
import { onlyPublic, refusedAddress } from '#platform/network/only-public.ts'
import { createNameResolver, type ResolveName } from '#platform/network/resolve-name.ts'
import { hasErrorCode } from '#platform/system-errors.ts'
import type { LinkChecker, LinkResult } from './link-checker.ts'

type Target = { address: string; port: string }

type Options = {
  siteUrl: URL
  /** How names are resolved; by the DNS servers of this machine by default. */
  resolveName?: ResolveName
  /** Where a connection to a checked address goes; there by default. */
  dial?: (target: Target) => Target
  /** How long a link may take, redirects included. */
  timeoutMs?: number
}

type Method = 'HEAD' | 'GET'

const maxRedirects = 5
const atOnce = 24
const atOnceOfHost = 4
const maxHeaderBytes = 32_768
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const refused: LinkResult = { outcome: 'refused', status: null }
const silent: LinkResult = { outcome: 'silent', status: null }

/**
 * Checks links by HEAD, and by GET where that fails, without reading a body. Every hop of a redirect leads to a public
 * address, and the connection goes to the address that was checked.
 */
export function createHttpLinkChecker({
  siteUrl,
  resolveName = createNameResolver(),
  dial = (target) => target,
  timeoutMs = 4_000,
}: Options): LinkChecker {
  const resolvePublic = onlyPublic(resolveName)
  const limitOfHost = createLimitByKey(atOnceOfHost)
  const limitOfAll = createLimitByKey(atOnce)
  const connector = buildConnector({ timeout: timeoutMs })
  const agent = new Agent({
    maxHeaderSize: maxHeaderBytes,
    headersTimeout: timeoutMs,
    // A later check resolves the name again.
    keepAliveTimeout: 1,
    keepAliveMaxTimeout: 1,
    connect(options, callback) {
      resolvePublic(options.hostname.replace(/^\[|\]$/g, '')).then(
        (found) => {
          const port = options.port === '' ? (options.protocol === 'https:' ? '443' : '80') : options.port
          const { address, port: dialed } = dial({ address: found[0]?.address ?? '', port })
          const servername = options.servername ?? options.hostname
          connector({ ...options, hostname: address, host: address, port: dialed, servername }, callback)
        },
        (error: Error) => callback(error, null),
      )
    },
  })
  const headers = {
    'User-Agent': `Mozilla/5.0 (compatible; link check; +${siteUrl.origin})`,
    Accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
  }

  /** Asks for an address, whose body is not read. */
  async function ask(
    url: URL,
    method: Method,
    signal: AbortSignal,
  ): Promise<{ status: number; location: string | null }> {
    const reply = await request(url, { method, headers, signal, dispatcher: agent })
    reply.body.on('error', () => {}).destroy()
    const { location } = reply.headers
    return { status: reply.statusCode, location: typeof location === 'string' ? location : null }
  }

  async function follow(from: string, method: Method, signal: AbortSignal): Promise<LinkResult> {
    let url = URL.parse(from)
    let status = 0
    for (let hop = 0; hop <= maxRedirects; hop += 1) {
      if (url === null || !isWebAddress(url)) return refused
      const reply = await ask(url, method, signal)
      status = reply.status
      if (!redirects.has(status) || reply.location === null) {
        return { outcome: status < 400 ? 'answers' : 'fails', status }
      }
      url = URL.parse(reply.location, url.href)
    }
    return { outcome: 'fails', status }
  }

  async function tryMethod(url: string, method: Method, signal: AbortSignal): Promise<LinkResult> {
    try {
      return await follow(url, method, signal)
    } catch (error) {
      return isRefusal(error) ? refused : silent
    }
  }

  async function check(url: string): Promise<LinkResult> {
    const signal = AbortSignal.timeout(timeoutMs)
    const result = await tryMethod(url, 'HEAD', signal)
    const isDecided = result.outcome === 'answers' || result.outcome === 'refused'
    // Many servers reply to GET only.
    return isDecided || signal.aborted ? result : await tryMethod(url, 'GET', signal)
  }

  return {
    check: async (url) =>
      await limitOfHost(URL.parse(url)?.host ?? '', () => limitOfAll('', () => check(url))),
  }
}

/** Returns whether an address names no password, which readers would send on. */
function isWebAddress({ protocol, username, password }: URL): boolean {
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === ''
}

function isRefusal(error: unknown): boolean {
  if (hasErrorCode(error, refusedAddress)) return true
  return error instanceof Error && error.cause !== undefined && isRefusal(error.cause)
}
