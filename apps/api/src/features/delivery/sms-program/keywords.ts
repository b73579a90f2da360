export type Keyword = 'stop' | 'start' | 'help'

/**
 * The words that Twilio handles and replies to by itself
 * (https://help.twilio.com/articles/223134027, "Twilio support for opt-out keywords").
 */
const ofTwilio: Readonly<Record<Keyword, readonly string[]>> = {
  stop: ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT'],
  start: ['START', 'YES', 'UNSTOP'],
  help: ['HELP', 'INFO'],
}

/**
 * The words that we know besides. 47 CFR 64.1200(a)(10) names stop, quit, end, revoke, opt out, cancel and unsubscribe, all
 * of them Twilio's too (https://www.twilio.com/en-us/blog/update-to-fcc-s-sms-opt-out-keywords). AWS adds ARRET, REMOVE and
 * TD (https://docs.aws.amazon.com/sms-voice/latest/userguide/opt-out-list-keywords.html), Twilio Proxy ARRETE and ARRETT
 * (https://www.twilio.com/docs/proxy/opt-out-keywords). The others say the same in Spanish, German, Italian and Portuguese.
 */
const ours: Readonly<Record<'stop' | 'help', readonly string[]>> = {
  stop: [
    ...['ARRET', 'REMOVE', 'TD', 'ARRETE', 'ARRETT', 'ARRETER'],
    ...['PARAR', 'BAJA', 'ALTO', 'CANCELAR', 'NOMAS', 'STOPP', 'ABMELDEN', 'ABBESTELLEN', 'FERMA', 'SAIR'],
  ],
  help: ['HELPME', 'AIDE', 'AYUDA', 'HILFE', 'AIUTO', 'AJUDA'],
}

const keywords: ReadonlyMap<string, Keyword> = new Map([
  ...[...ofTwilio.stop, ...ours.stop].map((word) => [word, 'stop'] as const),
  ...ofTwilio.start.map((word) => [word, 'start'] as const),
  ...[...ofTwilio.help, ...ours.help].map((word) => [word, 'help'] as const),
])

/**
 * A request in other words, which 47 CFR 64.1200(a)(10) has us honor as well. It has one of these phrases, words that ask
 * before it, and what is to end after it, but no other word: 'stop texting me', not 'stop by the office'.
 */
const asking = wordSet(
  'PLEASE PLS PLZ KINDLY HI HELLO HEY OK OKAY JUST NOW I ID WE YOU CAN COULD WOULD WANT NEED LIKE WISH TO BE HOW DO',
)
const phrases =
  /^(?:STOP(?:PED)?|UNSUB(?:SCRIBED?)?|CANCEL|REVOKE|OPT(?: ME)? OUT|OPTOUT|REMOVED?(?= (?:ME|MY)| FROM|$)|TAKE ME OFF|LEAVE ME ALONE|NO MORE|NO MAS|(?:NOT|DONT|NEVER|QUIT) (?:TEXT|MESSAGE|CONTACT|SMS)(?:ING)?|END(?= (?:TEXT|SMS|MESSAGE|MY|ALL)))(?= |$)/
const objects = wordSet(
  `ME US MY THE THESE THIS THOSE THEM IT ALL ANY ANYMORE EVER AGAIN YOUR FROM TO AT SEND SENDING TEXT TEXTS TEXTING SMS MSG
  MSGS MESSAGE MESSAGES MESSAGING ALERTS NOTIFICATIONS EDITIONS MEMOS LIST NUMBER PHONE SUBSCRIPTION CONSENT OUT NOW
  IMMEDIATELY PLEASE PLS PLZ THANKS THANK YOU THX STOP UNSUBSCRIBE CONTACTING BOTHERING SPAMMING SPAM OF SERVICE`,
)

// Later words don't take such a sentence or line back: a signature, or 'Who is this?'.
const firstSentence = /^\W*(stop|unsubscribe)\s*[.!\n]/i

/** Returns the request of a reply, in any width, case, accents and punctuation; null for any other text. */
export function keywordOf(body: string): Keyword | null {
  const text = plain(body)
  const words = text.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim()
  const keyword = keywords.get(words.replaceAll(' ', ''))
  if (keyword !== undefined) return keyword
  return firstSentence.test(text) || isRequestToStop(words) ? 'stop' : null
}

function isRequestToStop(words: string): boolean {
  const all = words.split(' ')
  const start = all.findIndex((word) => !asking.has(word))
  const request = start === -1 ? '' : all.slice(start).join(' ')
  const phrase = phrases.exec(request)?.[0]
  if (phrase === undefined) return false
  return request
    .slice(phrase.length)
    .split(' ')
    .every((word) => word === '' || objects.has(word))
}

/** Returns the keyword in Twilio's field `OptOutType`; null for none. */
export function handledKeyword(optOutType: string): Keyword | null {
  const keyword = optOutType.trim().toLowerCase()
  return keyword === 'stop' || keyword === 'start' || keyword === 'help' ? keyword : null
}

/** Returns whether Twilio has replied to this text already: it knows the bare word only. */
export function isRepliedByTwilio(body: string): boolean {
  const word = body.trim().toUpperCase()
  return Object.values(ofTwilio).some((words) => words.includes(word))
}

/** Returns a text in capital base letters of the usual width, without invisible characters. */
function plain(body: string): string {
  return body
    .replaceAll(/[\p{Cf}\p{Variation_Selector}'’‘]/gu, '')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toUpperCase()
}

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/))
}
