/** Words that must not return, each with its replacement; house style, "Words". */
export const wordTable: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/\bwhoever\b/i, 'the actor: member, reader, editor, caller'],
  [/\bsomebody\b/i, 'the actor, or someone'],
  [/stand-?ins?\b/i, 'emulator'],
  [/\basker/i, 'requester, caller'],
  [/\bpatience/i, 'wait options, retry policy, timeout'],
  [/\bstaleness/i, 'invalidation'],
  [/ready[- ]?repl(y|ies)/i, 'cached response'],
  [/fresh[- ]?cache/i, 'cache'],
  [/waiting[- ]?line/i, 'queue'],
  [/holds? no longer|no longer holds/i, 'expired'],
  [/\bin vain\b/i, 'without success'],
  [/\bis told so\b/i, 'gets an error'],
  [/^\s*(\/\*\*|\*|\/\/) Answers\b/, 'Returns'],
  [/unless told otherwise/i, 'by default'],
  [/\bfooting\b/i, 'infrastructure'],
  [/\bsurroundings\b/i, 'services'],
  [/^\s*(\/\*\*|\*|\/\/).*\b(nobody|everybody|one who)\b/i, 'the actor, with "no" or "every"'],
  [/^\s*(\/\*\*|\*|\/\/\/?) (What|Who|Whose|Why)\b/, 'a noun, or a verb in the third person'],
  [/\b(?:is|are) of use\b/i, 'works, is useful'],
  [/\blogger\.\w+\([^']*'[^']*\b(?:is|are|was|were|cannot)\b/, "the log's form: 'subscription sync failed'"],
  [/'\w+ing (?:a|an|the) [^']* failed'/, "the log's form: 'subscription sync failed'"],
  [/\beverybody/i, 'all, every member'],
  [/\bdeparture/i, 'cancellation'],
  [/\bgathering/i, 'batch'],
  [/\bdoomed\b/i, 'invalidated'],
  [/plain-?word/i, 'notice, message'],
  [/\bbehaviour/i, 'behavior'],
  [/catalogue/i, 'catalog'],
  [/colour/i, 'color'],
]

/** Words of what readers read: house style, "Sentences", and the spec's labels. The widget's 'Logout' is the spec's. */
export const readersWordTable: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/(?<!\b(?:Memos?|PDF) by )\be-mails?\b/i, "email; 'e-mail' is only in the spec's labels"],
  [
    /(?<![:\d])\b\d{1,2} [AP]M\b|\d(?::\d\d)?(?: ?[ap]\.m\.|[ap]m\b)/,
    "'10AM' for a slot, '10:00 AM' on a clock",
  ],
  [/timeStyle: '(?:short|medium)'(?!.*\btimeZone\b)/, 'formatClockTime'],
  [/\bsign(?:ed)? (?:out|in)\b/i, 'log in, log out'],
  [/(?<!\blogout: )['">`]Logout\b/, "Log out; 'Logout' is only in the widget"],
  [/\b(?:this|another) sign-in\b|\bsign-in window\b|\bsign you in\b|\bsigning in\b/i, 'login, log in'],
  // The spec's texts, and the legal terms.
  [
    /\b[Pp]lease\b(?! (?:wait\.\.\.|input (?:all values|your email)\.|check (?:items|value) to update|enter (?:the password'|a valid (?:email address|code)')|login with your new|make sure the token|email <MailLink|do not use it))/,
    'leave it out',
  ],
  [/\bsuccessfully\b(?! logged in\.)|\bSuccessfully\b(?! updated')/, "'Your changes are saved.'"],
  [/\bcontact us\b/i, 'write to us'],
  [/\bsomething went wrong\b/i, 'what failed, and what to do'],
  [
    /(?<!\bunexpected: )'An error occurred/,
    "what failed, and what to do; the spec's text is messages.unexpected",
  ],
  [/\btext messages?\b|\b(?:memos|PDFs) by SMS\b/, "text; 'SMS' is only in the spec's labels"],
  [/\bemail verification code\b|['`](?:Your|This) [^'`]*\b(?:is|already) verified\b/, 'confirmed'],
  [/['`"][^'`"]*\b(?:[Tt]his|[Yy]ou|[Yy]our) [^.'`"]*\b(?:do|does|is|are|was|were) not\b/, 'the contraction'],
]

/** Words of the site's own screens; the spec's texts of the widget have other apostrophes. */
export const siteWordTable: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/[a-z]'(?:s|t|re|ve|ll|d|m)\b/i, 'the apostrophe ’'],
]
