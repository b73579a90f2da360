import { z } from 'zod'
import { rateLimit } from './setting.ts'

/** Limits of calls per network or per account; the key is the limit's name in the code. */
export const rateLimits = z.object({
  gateTries: rateLimit('RATE_GATE_TRIES_PER_MINUTE', 30, 'minute').describe(
    'Wrong passwords at the gate: per network, and per browser that was behind the gate before; in all, for an hour; and per network and hour beyond that total. An IPv6 /56 has four times the limit of a network (an IPv4 address or a /64), a /48 sixteen times; so everywhere below.',
  ),
  gateTriesInAll: rateLimit('RATE_GATE_TRIES_IN_ALL_PER_HOUR', 600, 'hour'),
  gateTriesBeyondTotal: rateLimit('RATE_GATE_TRIES_BEYOND_TOTAL_PER_HOUR', 5, 'hour'),
  entryBox: rateLimit('RATE_ENTRY_BOX_PER_MINUTE', 30, 'minute').describe(
    'Email addresses and phone numbers in the entry box, per network.',
  ),
  newReaders: rateLimit('RATE_NEW_READERS_PER_HOUR', 240, 'hour').describe(
    'Browsers that like something for the first time, per network.',
  ),
  searches: rateLimit('RATE_SEARCHES_PER_MINUTE', 240, 'minute').describe(
    'Searches, per network and API process. A search runs at each pause in typing.',
  ),
  invalidLinks: rateLimit('RATE_INVALID_LINKS_PER_MINUTE', 60, 'minute').describe(
    'Links of emails and texts that are not ours, per network.',
  ),
  deskFailures: rateLimit('RATE_DESK_FAILURES_PER_MINUTE', 30, 'minute').describe(
    'Unknown editor keys, per network. Valid keys are never limited by them, and revoked ones don’t count.',
  ),
  deskSignIns: rateLimit('RATE_DESK_SIGN_INS_PER_MINUTE', 60, 'minute').describe(
    'Sign-ins at the desk and requested links, per network; and links to one address per hour.',
  ),
  deskLinks: rateLimit('RATE_DESK_LINKS_PER_HOUR', 6, 'hour'),
  logins: rateLimit('RATE_LOGINS_PER_MINUTE', 60, 'minute').describe(
    'Logins, sign-ups, requested codes (changes of address included) and tried codes, per network.',
  ),
  signups: rateLimit('RATE_SIGNUPS_PER_MINUTE', 30, 'minute'),
  codes: rateLimit('RATE_CODES_PER_MINUTE', 30, 'minute'),
  codeTries: rateLimit('RATE_CODE_TRIES_PER_MINUTE', 30, 'minute'),
  wrongCodes: rateLimit('RATE_WRONG_CODES_PER_HOUR', 30, 'hour').describe(
    'Wrong emailed codes: per network that is new to the account; from all of them; per network beyond that total; and beyond these, from all browsers that requested the code themselves.',
  ),
  wrongCodesInAll: rateLimit('RATE_WRONG_CODES_IN_ALL_PER_HOUR', 300, 'hour'),
  wrongCodesBeyondTotal: rateLimit('RATE_WRONG_CODES_BEYOND_TOTAL_PER_HOUR', 3, 'hour'),
  wrongCodesOfRequesters: rateLimit('RATE_WRONG_CODES_OF_REQUESTERS_PER_HOUR', 300, 'hour'),
  networkPhoneCodes: rateLimit('RATE_NETWORK_PHONE_CODES_PER_HOUR', 20, 'hour').describe(
    'Texted codes that one network requests. SMS_DAILY_CAP and the settings below it limit those of a number, of a member and of the site.',
  ),
  testSends: rateLimit('RATE_TEST_SENDS_PER_HOUR', 60, 'hour').describe(
    'Editions and digests that one editor key sends as a test, by email or text.',
  ),
  linkChecks: rateLimit('RATE_LINK_CHECKS_PER_MINUTE', 60, 'minute').describe(
    'Links that one editor has checked while writing; those of a whole edition do not count.',
  ),
  accountTries: rateLimit('RATE_ACCOUNT_TRIES_PER_HOUR', 20, 'hour').describe(
    'Wrong passwords for one account: per network, and from all networks and browsers that are new to the account.',
  ),
  accountTriesInAll: rateLimit('RATE_ACCOUNT_TRIES_IN_ALL_PER_HOUR', 200, 'hour'),
  comments: rateLimit('RATE_COMMENTS_PER_MINUTE', 30, 'minute').describe('Comments of one member.'),
  commentReports: rateLimit('RATE_COMMENT_REPORTS_PER_HOUR', 20, 'hour').describe(
    'Reports of comments by one member.',
  ),
  payments: rateLimit('RATE_PAYMENTS_PER_MINUTE', 30, 'minute').describe(
    'Checkouts, billing portals and plan changes that one member requests.',
  ),
  memberWrites: rateLimit('RATE_MEMBER_WRITES_PER_MINUTE', 60, 'minute').describe(
    'Changes of one member to their fields or JSON, their data exports, their profile images, and the browsers that are notified; and the profile images of one network.',
  ),
  exports: rateLimit('RATE_EXPORTS_PER_HOUR', 10, 'hour'),
  profileImages: rateLimit('RATE_PROFILE_IMAGES_PER_HOUR', 20, 'hour'),
  pushDevices: rateLimit('RATE_PUSH_DEVICES_PER_HOUR', 30, 'hour'),
  networkProfileImages: rateLimit('RATE_NETWORK_PROFILE_IMAGES_PER_HOUR', 100, 'hour'),
  captchaChallenges: rateLimit('RATE_CAPTCHA_CHALLENGES_PER_MINUTE', 60, 'minute').describe(
    'Challenges of the captcha `altcha`, per network.',
  ),
})
