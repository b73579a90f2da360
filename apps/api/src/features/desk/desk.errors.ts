import type { DeskRole, EditorScope } from '@tidings/contracts/desk/desk'
import { pictureSize } from '@tidings/contracts/desk/media'
import { createFail } from '#platform/errors.ts'

/** The name of the editor who saved last, and the fields of the reply. */
export type Conflict = { by?: string; reply?: Record<string, unknown> }

/** A text that readers can't get yet, and the fields that it lacks. An article has no place, and a new memo no id. */
export type IncompleteText = { id: string | null; place: number | null; fields: readonly string[] }

const missingNames: Readonly<Record<string, string>> = { title: 'no title', memo_content: 'no text' }

function sayMissing({ id, place, fields }: IncompleteText): string {
  const missing = fields.map((field) => missingNames[field] ?? field).join(' and ')
  if (id === null && place !== null)
    return `This memo has ${missing}, and readers would get it at once. Write it first, or add it with \`private: true\`.`
  return `${place === null ? 'This article' : `Memo ${place}`} has ${missing}. Write it or delete it.`
}

/** A request of a person without the role: a writer who would publish, or another one. */
export type RefusedRequest = 'publication by a writer' | 'other'

/** Says who may do it, and what a writer can do instead. */
function refusalFor(roles: readonly DeskRole[], request: RefusedRequest): string {
  if (request === 'publication by a writer') return 'Writers don’t publish. Mark the memos as ready.'
  const names = new Intl.ListFormat('en', { type: 'disjunction' }).format(roles)
  return `This needs the role ${names}. Ask an owner of this site.`
}

export const fail = createFail({
  'invalid-request': (message: string) => [400, message],
  'invalid-api-key': () => [
    401,
    'Send a valid editor key: Authorization: Bearer tdk_…',
    { headers: { 'WWW-Authenticate': 'Bearer' } },
  ],
  'scope-missing': (scope: EditorScope) => [403, `This key lacks the scope '${scope}'.`],
  'role-missing': (roles: readonly DeskRole[], request: RefusedRequest) => [403, refusalFor(roles, request)],
  'origin-not-permitted': () => [403, 'Pages of this origin may not open the desk.'],
  'too-many-requests': () => [
    429,
    'You have too many desks open. Close some, or try again in a minute.',
    { headers: { 'Retry-After': '60' } },
  ],
  'upgrade-required': () => [426, 'This URL accepts WebSocket connections only.'],
  'people-only': () => [403, 'Editor keys are for scripts. Sign in at the desk to do this.'],
  'key-not-found': () => [404, 'There is no active editor key with this id.'],
  'edition-not-found': (key: string) => [
    404,
    `The edition ${key} doesn’t exist. Create it with PUT /desk/v1/editions/${key}.`,
  ],
  'member-not-found': () => [404, 'This member doesn’t exist.'],
  'idempotency-key-reused': () => [
    409,
    'This Idempotency-Key was used for a different request in the last 24 hours.',
  ],
  'version-required': () => [
    428,
    'Send If-Match with the ETag of the version that you read, such as If-Match: "3".',
  ],
  'version-conflict': (read: number, current: number, details: Conflict = {}) => [
    409,
    details.by === undefined || details.by === ''
      ? `It has changed since you read it: you have version ${read}, the current one is ${current}. Read it again.`
      : `${details.by} has changed it since you read it: you have version ${read}, the current one is ${current}. Read it again.`,
    { details: details.reply ?? {} },
  ],
  incomplete: (memos: readonly IncompleteText[]) => [
    409,
    memos.map(sayMissing).join(' '),
    { details: { incomplete: memos } },
  ],
  'memo-not-found': (place: 'private' | 'nowhere') => [
    404,
    place === 'private'
      ? 'Readers don’t have this memo yet. Read, change and drop it at /desk/v1/memos/{id}/working-copy.'
      : 'This memo doesn’t exist. If it was deleted, GET /desk/v1/deleted-memos has it for 30 days.',
  ],
  'memo-not-movable': () => [
    409,
    'Readers have this memo, or liked it before it was withdrawn. Add a copy of it to the other edition and delete it here.',
  ],
  'order-conflict': (current: readonly string[]) => [
    409,
    'The order or the memos of this edition have changed since you read them. Read them again.',
    { details: { current } },
  ],
  'working-copy-not-found': () => [
    404,
    'Readers already have this text as it is, so there are no changes to publish or drop.',
  ],
  'version-not-found': () => [404, 'This version doesn’t exist.'],
  'deleted-memo-not-found': () => [404, 'This memo was not deleted in the last 30 days.'],
  'file-size-too-large': (cause?: unknown) => [
    413,
    `This file is larger than ${pictureSize}. Make the picture smaller and try again.`,
    { cause },
  ],
  'invalid-file': (found: string, cause?: unknown) => [
    400,
    `${found} Send one file in a multipart form, such as -F file=@picture.jpg`,
    { cause },
  ],
})
