import type { Page } from 'playwright-core'

/** One network request of a page. */
export type NetworkRequest = {
  url: string
  /** The browser's type of the resource: `Document`, `Script`, `Font`, `Fetch`, `WebSocket`, … */
  kind: string
  /** Bytes of the reply as transferred, with its headers. */
  bytes: number
  status: number
  /** From the browser's cache or from the service worker, which may have requested it. */
  fromCache: boolean
}

/** Records every request that the page makes from now on, with its WebSockets. */
export async function recordTraffic(page: Page): Promise<Map<string, NetworkRequest>> {
  const requests = new Map<string, NetworkRequest>()
  const session = await page.context().newCDPSession(page)
  const at = (id: string) => requests.get(id) ?? { url: '', kind: '', bytes: 0, status: 0, fromCache: false }
  const change = (id: string, part: Partial<NetworkRequest>) => requests.set(id, { ...at(id), ...part })

  session.on('Network.requestWillBeSent', ({ requestId, request, type = 'Other', redirectResponse }) => {
    // Data URLs and blobs are not transferred.
    if (!request.url.startsWith('http')) return
    if (redirectResponse) {
      const { url, kind } = at(requestId)
      const { encodedDataLength, status } = redirectResponse
      requests.set(`${requestId} from ${url}`, {
        url,
        kind,
        status,
        bytes: encodedDataLength,
        fromCache: false,
      })
    }
    change(requestId, { url: request.url, kind: type })
  })
  session.on('Network.requestServedFromCache', ({ requestId }) => change(requestId, { fromCache: true }))
  session.on('Network.responseReceived', ({ requestId, response }) => {
    if (response.fromDiskCache || response.fromPrefetchCache || response.fromServiceWorker) {
      change(requestId, { fromCache: true })
    }
    if (at(requestId).status === 0) change(requestId, { status: response.status })
  })
  // The real status: the other event shows 200 where the server sent 304.
  session.on('Network.responseReceivedExtraInfo', ({ requestId, statusCode }) =>
    change(requestId, { status: statusCode }),
  )
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (requests.has(requestId)) change(requestId, { bytes: encodedDataLength })
  })
  session.on('Network.webSocketCreated', ({ requestId, url }) =>
    change(requestId, { url, kind: 'WebSocket' }),
  )
  session.on('Network.webSocketHandshakeResponseReceived', ({ requestId, response }) =>
    change(requestId, { status: response.status, bytes: Buffer.byteLength(response.headersText ?? '') }),
  )
  await session.send('Network.enable')
  return requests
}
