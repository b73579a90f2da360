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
  [/\bfooting\b/i, 'infrastructure'],
  [/\bsurroundings\b/i, 'services'],
  [/\bbehaviour/i, 'behavior'],
]
