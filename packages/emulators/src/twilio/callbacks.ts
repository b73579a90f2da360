import { createHmac } from 'node:crypto'

type Options = {
  /** Where callbacks are sent instead of the origin that the site names and they are signed for. */
  origin?: string | undefined
}

const concurrency = 8
const timeoutMs = 15_000

export type Callbacks = ReturnType<typeof createCallbacks>

/** Posts signed callbacks to the site. Like Twilio, it doesn't repeat those that fail. */
export function createCallbacks({ origin }: Options) {
  const queue = new Set<() => Promise<void>>()
  const inFlight = new Set<Promise<void>>()
  const stopping = new AbortController()

  function work() {
    while (!stopping.signal.aborted && inFlight.size < concurrency) {
      const [next] = queue
      if (next === undefined) return
      queue.delete(next)
      const attempt = next().finally(() => {
        inFlight.delete(attempt)
        work()
      })
      inFlight.add(attempt)
    }
  }

  /** Returns the body of the reply; empty when the site can't be reached or fails. */
  async function post(url: string, authToken: string, fields: Record<string, string>): Promise<string> {
    const { pathname, search } = new URL(url)
    try {
      const reply = await fetch(origin === undefined ? url : new URL(`${pathname}${search}`, origin), {
        method: 'POST',
        headers: { 'x-twilio-signature': signatureOf(url, authToken, fields) },
        body: new URLSearchParams(fields),
        redirect: 'manual',
        signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(timeoutMs)]),
      })
      const body = await reply.text()
      return reply.ok ? body : ''
    } catch {
      return ''
    }
  }

  return {
    post,
    /** Posts callbacks one after the other, when earlier ones are done. */
    enqueue(url: string, authToken: string, callbacks: readonly Record<string, string>[]): void {
      queue.add(async () => {
        for (const fields of callbacks) await post(url, authToken, fields)
      })
      work()
    },
    async stop(): Promise<void> {
      stopping.abort()
      await Promise.allSettled(inFlight)
    },
  }
}

function signatureOf(url: string, authToken: string, fields: Record<string, string>): string {
  const signed = Object.entries(fields)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .reduce((text, [name, value]) => `${text}${name}${value}`, url)
  return createHmac('sha1', authToken).update(signed).digest('base64')
}
