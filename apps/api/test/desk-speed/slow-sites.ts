import type { RequestListener } from 'node:http'
// biome-ignore lint/style/noRestrictedImports: a linked site takes its time.
import { setTimeout as pause } from 'node:timers/promises'

/** How long linked sites take to reply. */
const replyMs = 800

/** Replies as a slow site does; never, where the address ends with `silent`. */
export const slowSite: RequestListener = async ({ url }, reply) => {
  if (url?.endsWith('silent') === true) return
  await pause(replyMs)
  reply.end()
}
