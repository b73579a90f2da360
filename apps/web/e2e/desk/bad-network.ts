import type { Page } from '@playwright/test'
import type { Random } from './random.ts'

const dropped = { request: 0.1, reply: 0.1, socket: 0.1 } as const
const mostLatencyMs = 1_200

/** Connects a page by a network that drops requests, replies and sockets. Its delays and breaks come with `change`. */
export async function connectBadly(page: Page, random: Random) {
  let isBad = false
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  const set = (latency: number, { offline }: { offline: boolean }) =>
    session.send('Network.emulateNetworkConditions', {
      offline,
      latency,
      downloadThroughput: -1,
      uploadThroughput: -1,
    })
  await page.route('**/desk/v1/**', async (route) => {
    if (isBad && random.is(dropped.request)) return await route.abort('connectionfailed')
    if (!isBad || !random.is(dropped.reply)) return await route.continue()
    // The server gets it, and its reply is lost.
    await route.fetch()
    await route.abort('connectionreset')
  })
  await page.routeWebSocket(/\/desk\/socket/, (socket) => {
    const server = socket.connectToServer()
    server.onMessage((message) => {
      if (isBad && random.is(dropped.socket)) void socket.close()
      else socket.send(message)
    })
  })
  return {
    /** Gives the network another delay, or breaks it until the next change. */
    async change(): Promise<void> {
      isBad = true
      await set(random.below(mostLatencyMs), { offline: random.is(0.25) })
    },
    /** Ends all faults until the next change. */
    async heal(): Promise<void> {
      isBad = false
      await set(0, { offline: false })
    },
  }
}
