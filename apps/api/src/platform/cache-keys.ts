/** Cache keys: a change invalidates the keys of what it affects. */
export const cacheKeys = {
  /** Whatever belongs to one edition: its memos and the pictures they use. */
  edition: (editionKey: string) => `edition:${editionKey}`,
  /** The slots of a day, `MM-DD-YY`. */
  timeList: (wireDate: string) => `times:${wireDate}`,
  archive: 'archive',
  /** The pictures that gated articles use. */
  articlePictures: 'article-pictures',
  /** The apps of the membership service, all together. */
  apps: 'apps',
  /** The content groups, all together. */
  contentGroups: 'content-groups',
  /** The keys that sign access tokens. */
  signingKeys: 'signing-keys',
  /** That a session lives. */
  session: (sessionId: string) => `session:${sessionId}`,
  /** A member as the wire has it. */
  member: (memberId: string) => `member:${memberId}`,
} as const
