/**
 * Which features of the API may import another feature's `index.ts`, and why. Features that are not listed import none.
 * The check rejects an entry that no import uses.
 */
export const featureLines: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  alerts: {
    editions: 'an operator is told of an edition that is held or late',
    delivery: 'and of unconfirmed deliveries and refusing domains',
    billing: 'and of refunds that need a person',
    backups: 'and of a backup that is older than a day',
    mail: 'emails to the operator',
    ops: 'and of a disk that is almost full',
  },
  members: {
    media: 'a profile image is stored and served as any picture',
    'daily-counts': 'a member who leaves is counted',
    mail: 'emails about deleted and expiring accounts',
  },
  plans: { members: 'a plan is added to a locked member' },
  comments: {
    members: "a comment shows its author's profile image",
    articles: "an article's channel is as open as the article",
    editions: "an edition's channel is open while the edition is published",
  },
  auth: {
    members: 'login and sign-up return a member',
    plans: 'sign-up adds free plans',
    feeds: 'a feed ends with the other logins of its account',
    mail: 'emails with codes, and about a changed login',
  },
  phone: {
    members: 'a number belongs to a member',
    auth: 'a texted code is made and checked as an emailed one',
    delivery: 'a verified number is texted what it will get',
    'sms-limits': 'a texted code is limited by number, member and site',
  },
  'sms-limits': { members: 'accounts with a plan have a part of the limit for themselves' },
  billing: {
    members: 'every payment belongs to a member',
    plans: 'a plan that the member has, or that is full, is not sold',
    mail: 'emails about plans, payments and refunds',
  },
  'account-deletion': {
    members: 'the plan that ended with the account is named',
    billing: 'the payments of a deleted account are settled, and its customer is removed',
    mail: 'emails about the account that is closed',
  },
  articles: {
    'secure-content': 'one rule grants access to articles and secure content',
    media: 'an article says what its picture shows',
  },
  'widget-config': {
    plans: 'GET /app lists the plans',
    'secure-content': 'GET /app lists the content groups',
    members: '/app-member returns the app and the member together',
  },
  search: {
    editions: 'the days of a search are dates of editions',
    articles: 'a member also finds the articles that they may read',
    'daily-counts': 'a search without results is counted',
  },
  memos: {
    editions: 'a memo belongs to an edition and is announced with it',
    media: 'a memo says what its picture shows',
  },
  likes: {
    editions: 'a like changes what is cached of the edition',
    memos: 'a like belongs to a memo, and shares its not-found error',
  },
  feeds: { editions: 'a feed is written from the newest editions' },
  media: { editions: 'a picture is served while its edition uses it' },
  'live-feed': {
    editions: 'handles the job edition.published',
    memos: 'handles the job memo.published and reads its content',
    comments: 'shows who is typing',
  },
  delivery: {
    mail: 'editions look like every other email',
    'daily-counts': 'an opened link is counted',
    members: 'a link in an email changes how a member receives editions',
    media: 'an email shows the pictures of its memos',
    editions: 'an edition is delivered when it is published',
    memos: 'its memos are what is delivered',
    desk: 'editors follow, stop and resume deliveries',
    'sms-limits': 'a test by text counts as texted codes do',
  },
  people: {
    desk: 'people make the changes of the desk, and owners its keys',
    mail: 'emails with invitations and links to sign in',
  },
  previews: {
    delivery: 'a preview is rendered as the message that is sent',
    desk: 'a preview is a request of an editor',
    editions: 'the memos of an edition are previewed together',
    memos: 'unsaved memos become the rows that they would be',
    articles: 'an unsaved article is shown as members get it',
    media: 'a preview shows pictures that readers can’t fetch yet',
    'secure-content': 'the rule of a content group decides what a reader of an article gets',
  },
  readiness: {
    delivery: 'the members who would get an edition are counted as they are planned',
    desk: 'an editor asks before publishing',
    editions: 'an edition is ready with its memos',
    memos: 'each memo is looked at',
    media: 'the sizes of pictures are compared with how they are shown',
  },
  needs: {
    desk: 'editors read it',
    editions: 'it names editions, and a day is one of the site’s time zone',
    readiness: 'a link that leads nowhere needs an editor',
  },
  'daily-counts': { editions: 'a day is one of the site’s time zone' },
  statistics: {
    desk: 'editors read them',
    editions: 'a day is one of the site’s time zone, and a memo is in an edition',
    delivery: 'the methods have the names of deliveries',
    'daily-counts': 'some numbers are counted when it happens',
  },
  'member-desk': {
    desk: 'editors find members and lift suppressions, with audit entries',
    members: 'whom they find',
    delivery: "and a member's deliveries and suppression",
    comments: "and the number of a member's comments",
  },
  desk: {
    editions: 'editors write, schedule and publish them',
    memos: 'editors write them',
    articles: 'editors write them',
    media: 'editors upload pictures',
    'secure-content': 'editors write it and its access rules',
    comments: 'editors hide comments and their authors',
    'live-feed': "the desk's socket closes as those of readers do",
  },
}

/**
 * The callbacks that the context hands up: a feature's dependency that another feature provides, and why. The
 * check rejects one that isn't listed, and a listed one that isn't handed up.
 */
export const callbackLines: Readonly<
  Record<string, Readonly<Record<string, { from: string; reason: string }>>>
> = {
  auth: {
    syncEmail: { from: 'billing', reason: "a changed address becomes the payment customer's too" },
  },
  comments: {
    announceComment: { from: 'desk', reason: 'open desks are told about a new comment' },
  },
  desk: {
    planMemo: { from: 'delivery', reason: 'a late memo is delivered in the transaction that adds it' },
  },
  editions: {
    planDelivery: { from: 'delivery', reason: 'a run is planned in the transaction that publishes' },
    changeDelivery: { from: 'delivery', reason: 'turning delivery on or off changes the planned run' },
    leaveOutUnfinished: {
      from: 'desk',
      reason: 'unfinished memos wait at the desk when an edition is published at its time',
    },
    recordAutomatic: {
      from: 'desk',
      reason: 'what the schedule publishes or holds is in the list of changes',
    },
  },
  members: {
    requestDeletion: { from: 'account-deletion', reason: 'a member deletes their own account' },
    syncAfterCheckout: { from: 'billing', reason: 'a member who returns from checkout sees the new plan' },
    sessionCacheKey: { from: 'auth', reason: 'a deleted member is logged out at once' },
  },
}
