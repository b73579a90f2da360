/** A reply of the API, whole. */
export type TextReply = { ok: boolean; status: number; text: string }

/** A request that the shell made before the page's script arrived. */
export type EarlyReply = { editionKey: string; url: string; reply: Promise<TextReply> }

declare global {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface extends the browser's own
  interface Window {
    earlyReply?: EarlyReply | undefined
  }
}

/** Returns the shell's reply from this address, once; null without one, and if its request failed. */
export function takeEarlyReply(url: string): Promise<TextReply | null> | null {
  const early = window.earlyReply
  if (early?.url !== url) return null
  window.earlyReply = undefined
  return early.reply.catch(() => null)
}
