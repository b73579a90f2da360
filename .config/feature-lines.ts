/**
 * The lines along which one feature of the API may enter another's `index.ts`, each with what it is for. A feature that
 * is not named enters none; a line that nothing uses is refused.
 */
export const featureLines: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  members: {
    media: 'a profile image is stored and served as any picture',
    mail: 'emails about deleted and expiring accounts',
  },
  plans: { members: 'a plan is added to a member, who is held while it happens' },
  comments: { members: "a comment shows its author's profile image" },
  auth: {
    members: 'whoever logs in or signs up is a member',
    plans: 'signing up brings free plans',
    mail: 'emails with codes, and about a changed login',
  },
  billing: {
    members: 'what is paid is paid by a member',
    plans: 'a plan that is held or full is not sold',
    mail: 'emails about plans, payments and refunds',
  },
  articles: { 'secure-content': 'one rule opens articles and secure content' },
  'widget-config': {
    plans: 'GET /app lists the plans',
    'secure-content': 'GET /app lists the content groups',
    members: '/app-member answers the app and its member at once',
  },
  memos: { editions: 'a memo belongs to an edition, and is announced with it' },
  likes: { memos: 'what is liked is a memo, and its absence is told in one way' },
  'live-feed': {
    editions: 'handles the job edition.published',
    memos: 'handles the job memo.published, and reads what it tells',
    comments: 'tells who is typing',
  },
  desk: {
    editions: 'editors write, schedule and publish them',
    memos: 'editors write them',
    articles: 'editors write them',
    media: 'editors upload pictures',
    'secure-content': 'editors write it, and its rules',
    comments: 'editors hide comments and their authors',
  },
}
