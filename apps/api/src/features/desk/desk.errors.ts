import { type DeskRole, type EditorScope, rolesByScope } from '@tidings/contracts/desk/desk'
import { pictureSize } from '@tidings/contracts/desk/media'
import { createFail } from '#platform/errors.ts'

/** Says who may do it, and what a writer can do instead. */
function refusalFor(roles: readonly DeskRole[]): string {
  if (roles.join() === rolesByScope.publish.join()) return 'Writers don’t publish. Mark the memos as ready.'
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
  'role-missing': (roles: readonly DeskRole[]) => [403, refusalFor(roles)],
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
  'version-conflict': (read: number, current: number) => [
    409,
    `It has changed since you read it: you have version ${read}, the current one is ${current}. Read it again.`,
  ],
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
