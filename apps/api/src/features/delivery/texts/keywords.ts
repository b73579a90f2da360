export type Keyword = 'stop' | 'start' | 'help'

/** The words that Twilio handles itself, by default. */
const keywords: Readonly<Record<string, Keyword>> = {
  STOP: 'stop',
  STOPALL: 'stop',
  UNSUBSCRIBE: 'stop',
  CANCEL: 'stop',
  END: 'stop',
  QUIT: 'stop',
  START: 'start',
  UNSTOP: 'start',
  HELP: 'help',
}

/** Returns what a reply asks for, in any case and spacing; null for any other text. */
export function keywordOf(body: string): Keyword | null {
  const word = body.toUpperCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
  return Object.hasOwn(keywords, word) ? (keywords[word] ?? null) : null
}

/** Returns whether Twilio has replied to this text already: it knows the bare word only. */
export function isRepliedByTwilio(body: string): boolean {
  return Object.hasOwn(keywords, body.trim().toUpperCase())
}
