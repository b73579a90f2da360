import type { AuditEntry } from '@tidings/contracts/desk/audit'
import type { DeskPerson } from '@tidings/contracts/desk/people/people'
import type { CalendarDate } from '@tidings/contracts/edition-key'
import { editionName } from '#lib/time/edition-name.ts'
import { roles } from './roles.ts'

/** Returns the name of a person of the desk, or null for someone who left. */
export type NameOf = (id: string) => string | null

/** Returns how the people of the desk are called. */
export function namesOf(people: readonly Pick<DeskPerson, 'id' | 'name'>[]): NameOf {
  const names = new Map(people.map(({ id, name }) => [id, name]))
  return (id) => names.get(id) ?? null
}

type Sentence = (entry: AuditEntry, nameOf: NameOf) => string
const inEdition =
  (verb: string, after = ''): Sentence =>
  ({ subject }) =>
    `${verb} ${subject}${after}`
const ofMemo =
  (verb: string, before = 'in'): Sentence =>
  ({ details, subject }) =>
    `${verb} ${memoTitle(details)} ${before} ${subject}`
const ofArticle =
  (verb: string): Sentence =>
  ({ details }) =>
    `${verb} ${quoted(textAt(details, 'title') ?? titleIn(details, ['article', 'before']), 'an article')}`
const always =
  (text: string): Sentence =>
  () =>
    text
const ofPerson =
  (verb: string, after = ''): Sentence =>
  ({ subject }, nameOf) =>
    `${verb} ${nameOf(subject) ?? 'someone who left'}${after}`

const sentences: Readonly<Record<string, Sentence>> = {
  'edition.create': inEdition('started'),
  'edition.schedule': inEdition('scheduled'),
  'edition.publish': inEdition('published'),
  'edition.withdraw': ({ subject, details }) =>
    textAt(details, 'from') === 'published' ? `withdrew ${subject}` : `took ${subject} back to draft`,
  'edition.undo-withdrawal': inEdition('undid the withdrawal of'),
  'edition.delete': inEdition('deleted'),
  'edition.deliver': ({ subject, details: { deliver } }) =>
    `chose to ${deliver === true ? 'send' : 'keep'} ${subject} ${deliver === true ? 'to' : 'from'} members`,
  'edition.order': inEdition('changed the order of'),
  'edition.hold': inEdition('held'),
  'edition.leave-out': inEdition('left empty memos out of'),
  'memo.write': ofMemo('wrote'),
  'memo.add': ofMemo('added', 'to'),
  'memo.change': ofMemo('changed'),
  'memo.withdraw': ofMemo('took', 'out of'),
  'memo.undelete': ofMemo('brought back'),
  'memo.publish': ofMemo('published'),
  'memo.correct': ofMemo('corrected'),
  'memo.discard': ofMemo('discarded the changes of'),
  'memo.ready': ({ details, subject }) =>
    `marked ${memoTitle(details)} in ${subject} as ${details.ready === true ? 'ready' : 'not ready'}`,
  'memo.move': ({ details, subject }) =>
    `moved ${memoTitle(details)} from ${textAt(details, 'from') ?? subject} to ${textAt(details, 'to') ?? subject}`,
  'memo.correction-note': ({ subject, details: { members } }) =>
    `sent a correction of ${subject} to ${members === 1 ? '1 member' : `${String(members ?? 'some')} members`}`,
  'article.create': ofArticle('started'),
  'article.write': ofArticle('wrote'),
  'article.change': ofArticle('changed'),
  'article.publish': ofArticle('published'),
  'article.correct': ofArticle('corrected'),
  'article.discard': ofArticle('discarded the changes of'),
  'article.remove': ofArticle('removed'),
  'media.upload': always('uploaded a picture'),
  'content-group.create': always('made a content group'),
  'content-group.change': always('changed a content group'),
  'content-group.remove': always('removed a content group'),
  'secure-content.create': always('made a piece of secure content'),
  'secure-content.change': always('changed a piece of secure content'),
  'secure-content.remove': always('removed a piece of secure content'),
  'comment.hide': ({ details }) => `hid ${commentIn(details)}`,
  'comment.show': ({ details }) => `showed ${commentIn(details)} again`,
  'comment.keep': always('kept a reported comment'),
  'comment-author.hide': always('hid all comments of a member'),
  'comment-author.show': always('showed the comments of a member again'),
  'person.invite': ({ details }, nameOf) => {
    const known = textAt(details, 'person')
    const invited = known === null ? 'someone' : (nameOf(known) ?? 'someone')
    return `invited ${invited} as ${rolesAt(details, 'roles')}`
  },
  'person.join': always('joined the desk'),
  'person.recover': always('got a new passkey by an invitation'),
  'person.sign-in': ({ details }) =>
    `signed in with a ${textAt(details, 'by') === 'passkey' ? 'passkey' : 'link'} (${textAt(details, 'device') ?? 'a browser'})`,
  'person.rename': ({ details }) => `is now called ${textAt(details, 'to') ?? 'otherwise'}`,
  'person.change': (entry, nameOf) => ofPerson('made', ` ${rolesAt(entry.details, 'to')}`)(entry, nameOf),
  'person.remove': ofPerson('removed'),
  'invitation.withdraw': always('withdrew an invitation'),
  'passkey.add': always('added a passkey'),
  'passkey.remove': always('removed a passkey'),
  'key.make': ({ details }) => `made the key ${quoted(textAt(details, 'name'), 'of a script')}`,
  'key.revoke': ({ details }) => `revoked the key ${quoted(textAt(details, 'name'), 'of a script')}`,
  'member.search': always('searched for members'),
  'member.look': always('looked at a member'),
  'member.deliveries': always('looked at the deliveries of a member'),
  'member.lift-suppression': always('lifted the suppression of a member'),
  'delivery.stop': inEdition('stopped the delivery of'),
  'delivery.resume': inEdition('resumed the delivery of'),
  'delivery.resolve': always('decided about unconfirmed deliveries'),
  'delivery.test-send': inEdition('sent a test of'),
}

// The API's name for changes that neither a person nor a key made.
const siteItself = 'the site itself'

/** Returns who did it and what they did, `published yesterday’s 10AM`, for an entry of the log. */
export function sentenceOf(
  entry: AuditEntry,
  { nameOf, today }: { nameOf: NameOf; today: CalendarDate },
): { who: string; did: string } {
  const sentence = sentences[entry.action]
  const did = sentence === undefined ? plainText(entry) : sentence(entry, nameOf)
  return { who: entry.editor === siteItself ? 'The site' : entry.editor, did: `${editionNames(did, today)}.` }
}

// A newer API may log what this table lacks.
function plainText({ action, subject }: AuditEntry): string {
  return `did “${action}” to ${subject}`
}

function editionNames(text: string, today: CalendarDate): string {
  return text.replaceAll(/\b\d\d-\d\d-\d\d-\d{1,2}(?::\d\d)?[AP]M\b/g, (key) => editionName(key, { today }))
}

/** Returns the memo that an entry is about, if it is about one. */
export function memoOf({ action, details }: AuditEntry): string | null {
  if (!action.startsWith('memo.')) return null
  return textAt(details, 'memo') ?? textIn(details, 'memo', 'id') ?? textIn(details, 'before', 'id')
}

function memoTitle(details: AuditEntry['details']): string {
  return quoted(textAt(details, 'title') ?? titleIn(details, ['memo', 'before']), 'a memo without a title')
}

function commentIn(details: AuditEntry['details']): string {
  const content = textAt(details, 'content')
  if (content === null) return 'a comment'
  return `the comment ${quoted(content.length > 60 ? `${content.slice(0, 59).trimEnd()}…` : content, '')}`
}

function quoted(text: string | null, otherwise: string): string {
  return text === null || text === '' ? otherwise : `“${text}”`
}

function titleIn(details: AuditEntry['details'], fields: readonly string[]): string | null {
  for (const field of fields) {
    const title = textIn(details, field, 'title')
    if (title !== null) return title
  }
  return null
}

function textIn(details: AuditEntry['details'], field: string, inner: string): string | null {
  const value = details[field]
  if (typeof value !== 'object' || value === null) return null
  return textAt(Object.fromEntries(Object.entries(value)), inner)
}

function textAt(details: Readonly<Record<string, unknown>>, field: string): string | null {
  const value = details[field]
  return typeof value === 'string' ? value : null
}

function rolesAt(details: AuditEntry['details'], field: string): string {
  const value: unknown = details[field]
  if (!Array.isArray(value)) return 'someone'
  return new Intl.ListFormat('en').format(roles.filter((role) => value.includes(role)))
}
