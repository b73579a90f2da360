/** The source of a refusal: the reply to RCPT or DATA, a report that came back, or a mail service's webhook. */
export type RefusalPhase = 'rcpt' | 'data' | 'report' | 'webhook'

/**
 * The subject of a refusal: the address, which does not exist; its mailbox, which is full; us, whom the server does not
 * want to hear from or whose message it does not want; or nothing that outlasts this message.
 */
export type RefusalClass = 'address' | 'full' | 'us' | 'other'

export type Refusal = {
  phase: RefusalPhase
  /** The three digits of the reply; anything else if only the text has them. */
  code: string
  text: string
}

/**
 * The meaning of enhanced codes without their first digit: `*` stands for any detail. Codes that are not listed, such as
 * routing (X.4) and protocol (X.5), say nothing that lasts. X.0 details are generic: they leave it to the reply's own code.
 */
const enhancedCodes: Readonly<Record<string, RefusalClass | 'generic'>> = {
  '0.0': 'generic',
  '1.0': 'generic',
  '2.0': 'generic',
  '5.0': 'generic',
  '1.1': 'address',
  '1.2': 'address',
  '1.3': 'address',
  '1.6': 'address',
  '1.10': 'address',
  '2.1': 'address',
  '2.2': 'full',
  // The message is too long for this mailbox.
  '2.3': 'us',
  '1.7': 'us',
  '1.8': 'us',
  '3.*': 'us',
  '6.*': 'us',
  '7.*': 'us',
}

/** Replies to RCPT that mean, without anything else, that the mailbox does not exist (RFC 5321, 4.2.3). */
const addressReplies: ReadonlySet<string> = new Set(['550', '551', '553'])

const start = '(?<![a-z])'
const end = '(?![a-z])'

function words(...alternatives: readonly string[]): RegExp {
  return new RegExp(`${start}(?:${alternatives.join('|')})${end}`)
}

/** Texts that name an account, not us, although they contain one of the words about blocking. */
const aboutAccount = new RegExp(
  [
    `${start}(?:account|mailbox|user|recipient)(?:'s)?(?: (?:is|was|has been|temporarily|permanently))* ?(?:blocked|banned|suspended)(?! (?:by|due|for|because|using|from))`,
    `${start}recipient address rejected: access denied`,
    `${start}mailbox name not allowed`,
  ].join('|'),
  'g',
)

/** The server delays each unknown sender once, or limits what one mailbox gets. Both end by themselves. */
const passing = words('gr[ea]y-?list(?:ed|ing)?', 'receiving mail (?:at a rate|too (?:quickly|fast))')

/** Words about how much is sent. With a temporary reply they ask this message to wait, as servers do under load. */
const rates = words(
  'rate[- ]?limit(?:s|ed|ing)?',
  'throttl(?:ed|ing)',
  'too many (?:messages|mails|emails|connections|sessions|errors)',
  'excessive volume',
  'unexpected volume',
  'unusual rate',
)

/** Directories do not list, or have no listing of, a mailbox that does not exist. */
const unlessNot = "(?<!not |n't |no |no such |no longer )"

/** Words about blocking and spam, authentication, and the sender's address or host. */
const blocking = words(
  'blocked',
  'blocking',
  '(?:black|block|deny|ban|white|allow|safe)[ -]?list(?:s|ed|ing)?',
  'banned',
  'blackholed',
  `${unlessNot}listed (?:in|on|at|by|with)`,
  '(?:client|sender|server|host|ip|you)(?: is| are)?(?: not|n.t) listed',
  `${unlessNot}listing in`,
  `${unlessNot}found (?:in|on) (?:one or more )?(?:dns|rbl|[sx]bl)[a-z]*`,
  '(?:dns|uri|su|att)?[a-z]?rbl\\+?',
  'dns[bw]l',
  'dnsbls',
  'spamhaus',
  'spamcop',
  'barracuda reputation',
  'cloudmark',
  '(?:anti-?)?spam(?:my|mer|mers|ming)?',
  'junk(?: ?mail)?',
  'unsolicited',
  'bulk (?:e-?)?mails?',
  'ube',
  'reputation',
  'suspicious',
  'virus(?:es)?',
  'malware',
  'phishing',
  'spoof(?:ed|ing)?',
  'anti-spoofing',
  'complaints?',
  'abus(?:e|ive)',
  'polic(?:y|ies)',
  'dmarc',
  'spf',
  'dkim',
  '(?:un)?authenticated',
  'authentication (?:required|failed|check)',
  'prohibit(?:ed|ion)',
  'access denied',
  'denied by',
  'relay(?:ing)?(?: access)?(?: is)?(?: denied| not (?:permitted|allowed)| prohibited)',
  'not (?:permitted|allowed|authorized|authorised) to (?:send|relay|connect)',
  'content (?:rejected|not accepted|denied)',
  'connections? (?:will )?not (?:be )?accepted',
  '(?:client|connecting) host',
  'your (?:ip|host|server|domain|network|isp|mail server)',
  '(?:sending|sender|source) (?:ip|host|domain|server)',
  'sender (?:address )?(?:rejected|denied|blocked|verif[a-z]+|not allowed)',
  'reverse dns',
  'rdns',
  'ptr(?: record)?',
  'helo',
  'temporarily deferred',
  'deferred due to',
)

/** The codes of Yahoo, Apple and Microsoft in their texts. */
const providerCodes = /\[(?:tss|ph|bl|cs)\d+\]|(?<![a-z])(?:rp|sc|dy|ou)-00\d|\(s3\d{3}\)/

const tooLong = words(
  'message (?:is )?too (?:long|large|big)',
  'message (?:size|length) (?:limit )?exceed(?:s|ed)?',
  'message exceeds',
  'size of (?:the |your )?message',
  'maximum message size',
  'exceeds (?:the )?(?:fixed |maximum )?(?:message )?size(?: limit)?',
)

const mailboxFull = words(
  '(?:mailbox|mail box|inbox|account|user|quota|storage)(?: for user)? (?:is )?full',
  'over[- ]?(?:the )?(?:its )?(?:disk |storage |mail )?quota',
  'over the (?:storage )?limit',
  '(?:quota|storage|mailbox size|mailbox) (?:limit )?(?:is |has been )?exceeded',
  'exceed(?:s|ed)? (?:its |the |their |his )?(?:mailbox |mail |disk |e-?mail |user )?(?:quota|storage)(?: allocation| limit)?',
  'out of storage(?: space)?',
  'quotaexceeded[a-z]*',
)

const unknownMailbox = words(
  '(?:user|mailbox|recipient|address|addressee|account)(?: is)? (?:unknown|unallocated|not found|invalid|unavailable|disabled|inactive)',
  '(?:unknown|invalid|nonexistent|unrouteable|bad) (?:user|mailbox|recipient|address|addressee|account|destination)',
  'no (?:such )?(?:user|mailbox|recipient|address|person|account|valid recipient)(?: here| with that name)?',
  'does(?: not|n.t) exist',
  'not a (?:valid|known) (?:recipient|user|mailbox|address|(?:e-?mail )?address)',
  'address rejected',
  'not listed in',
)

/**
 * Decides what a refusal means for the address and for us: the one table, used for replies, reports and webhooks.
 *
 * Words about blocking or spam count most, because servers put them behind any code. Then the enhanced code, the phase
 * (a server that knew no such mailbox would have refused RCPT), and last the reply's own code.
 *
 * Sources: RFC 3463 and its IANA registry (enhanced codes), RFC 5321 4.2.3 and 4.3.2 (replies by command), RFC 3464
 * (reports). Amazon SES' bounce types (Permanent: General, NoEmail, Suppressed; Transient: MailboxFull, MessageTooLarge,
 * ContentRejected, AttachmentRejected), Postmark's (HardBounce and BadEmailAddress end sending; SoftBounce, Blocked,
 * SpamNotification, DMARCPolicy, DnsError and Transient do not) and Mailgun's (a permanent failure is an unknown recipient;
 * a full mailbox is temporary; block lists, reputation, content and authentication are the sender's) say the same.
 */
export function classifyRefusal(refusal: Refusal): RefusalClass {
  const found = classOf(refusal)
  // A server that gives up with a temporary status has not said that the mailbox does not exist.
  const isTemporary = refusal.phase === 'report' && /^\s*4\.\d/.test(refusal.text)
  return isTemporary && found === 'address' ? 'other' : found
}

function classOf({ phase, code, text }: Refusal): RefusalClass {
  const said = readable(text)
  if (passing.test(said)) return 'other'
  if (blocking.test(said) || providerCodes.test(said)) return 'us'
  const reply = /^[245]\d\d$/.test(code) ? code : (/(?<![\d.])[245]\d\d(?=[ -]|$)/.exec(text)?.[0] ?? '')
  if (rates.test(said)) return reply.startsWith('4') ? 'other' : 'us'
  const byCode = classOfCodes(text, reply)
  if (byCode !== null) return byCode === 'address' && mailboxFull.test(said) ? 'full' : byCode
  if (mailboxFull.test(said)) return 'full'
  if (tooLong.test(said)) return 'us'
  return classOfReply(phase, reply, said)
}

/** Returns the class that the enhanced codes mean; null for none. One that spares the address counts first. */
function classOfCodes(text: string, reply: string): RefusalClass | null {
  const codes = [...text.matchAll(/(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?!\.?\d)/g)].map(
    ([, first = '', subject = '', detail = '']) => {
      const found = enhancedCodes[`${subject}.${detail}`] ?? enhancedCodes[`${subject}.*`] ?? 'other'
      // A temporary refusal of the address or of us may only be a delay, as by greylisting.
      const isTemporary = (reply === '' ? first : reply).startsWith('4')
      return isTemporary && (found === 'address' || found === 'us') ? 'other' : found
    },
  )
  const order = ['us', 'full', 'address', 'other'] as const
  return order.find((each) => codes.includes(each)) ?? null
}

function classOfReply(phase: RefusalPhase, reply: string, said: string): RefusalClass {
  if (reply.startsWith('4')) return 'other'
  switch (phase) {
    case 'data':
      return 'us'
    case 'rcpt':
      if (reply === '552') return 'full'
      return addressReplies.has(reply) ? 'address' : 'other'
    case 'report':
      // A report rarely tells which command was refused.
      return addressReplies.has(reply) && unknownMailbox.test(said) ? 'address' : 'other'
    case 'webhook':
      // The service has decided that it bounced for good.
      return 'address'
  }
}

/** Returns the words of a text in lower case, without addresses, links and host names, which may contain any word. */
function readable(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('’', "'")
    .replaceAll(/<[^>\s]*>|\S*@\S*|https?:\S+|www\.\S+/g, ' … ')
    .replaceAll(
      /(?<!\S)[[(]?(?:[a-z\d_-]+\.)+[a-z][a-z\d-]*[\])]?(?:\[[\d.:a-f]+\])?(?=[\s,;:)\].]|$)/g,
      hostOrList,
    )
    .replaceAll(aboutAccount, ' … ')
    .replaceAll(/\s+/g, ' ')
}

/** Keeps the name of a block list, which servers mention for nothing else. */
function hostOrList(host: string): string {
  return /(?:^|\.)(?:spamhaus\.org|spamcop\.net|barracudacentral\.org|surbl\.org|uribl\.com|sorbs\.net|[a-z]*dnsbl[a-z\d-]*\.|r?bl\.)/.test(
    host,
  )
    ? ' blocklist '
    : ' … '
}
