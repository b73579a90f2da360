import type { Page } from 'playwright-core'

/** One request of a page, as it travelled. */
export type Travelled = {
  url: string
  /** The browser's word for what it is: `Document`, `Script`, `Font`, `Fetch`, `WebSocket`, … */
  kind: string
  /** Bytes of the reply as sent, its headers included. */
  bytes: number
  status: number
  fromCache: boolean
}

/** Records every request that the page makes from now on, sockets included. */
export async function recordTraffic(page: Page): Promise<Map<string, Travelled>> {
  const requests = new Map<string, Travelled>()
  const session = await page.context().newCDPSession(page)
  const at = (id: string) => requests.get(id) ?? { url: '', kind: '', bytes: 0, status: 0, fromCache: false }
  const change = (id: string, part: Partial<Travelled>) => requests.set(id, { ...at(id), ...part })

  session.on('Network.requestWillBeSent', ({ requestId, request, type = 'Other', redirectResponse }) => {
    // A page's own data and blobs do not travel.
    if (!request.url.startsWith('http')) return
    if (redirectResponse) {
      const { url, kind } = at(requestId)
      const { encodedDataLength, status } = redirectResponse
      requests.set(`${requestId} from ${url}`, {
        ...{ url, kind, status },
        ...{ bytes: encodedDataLength, fromCache: false },
      })
    }
    change(requestId, { url: request.url, kind: type })
  })
  session.on('Network.requestServedFromCache', ({ requestId }) => change(requestId, { fromCache: true }))
  session.on('Network.responseReceived', ({ requestId, response }) => {
    if (response.fromDiskCache || response.fromPrefetchCache) change(requestId, { fromCache: true })
    if (at(requestId).status === 0) change(requestId, { status: response.status })
  })
  // What really came back: the page itself is shown 200 where the server said 304.
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
