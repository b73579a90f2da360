import {
  contentGroupChange,
  contentGroupDraft,
  deskContentGroup,
} from '@tidings/contracts/desk/content-groups'
import { dataOf, listQuery, pageOf } from '@tidings/contracts/envelope'
import { describedError } from '@tidings/contracts/errors'
import { paths } from '@tidings/contracts/paths'
import { z } from 'zod'
import type { App } from '#http/app-type.ts'
import { deskRoute } from '../requests/desk-route.ts'
import type { ContentGroupDesk } from './content-group-desk.service.ts'

const params = z.object({ id: z.string().regex(/^grp_[0-9a-z]{24}$/, "must be a content group's id") })
const groupPage = listQuery.extend({
  after: z
    .string()
    .regex(/^[0-9a-z-]{1,100}$/, "must be the 'next' of the page before")
    .optional(),
})
const takenError = describedError('Another group has this key, or the Idempotency-Key was used otherwise')
const tag = 'Desk: content groups'

export function registerContentGroupDesk(app: App, desk: ContentGroupDesk): void {
  deskRoute(app, {
    method: 'GET',
    url: paths.desk.contentGroups,
    tag,
    summary: 'Lists content groups, by key',
    scope: 'read',
    query: groupPage,
    response: { 200: pageOf(deskContentGroup) },
    run: ({ query }) => desk.list(query),
  })

  deskRoute(app, {
    method: 'POST',
    url: paths.desk.contentGroups,
    tag,
    summary: 'Creates a content group',
    description:
      'Its content opens to members with any one of its permissions and any one of its plans. Changes take effect at once, so they need the scope `publish`.',
    body: contentGroupDraft,
    response: { 201: dataOf(deskContentGroup), 409: takenError },
    run: ({ requester, body }) => desk.create(requester, body),
  })

  deskRoute(app, {
    method: 'GET',
    url: paths.desk.contentGroup,
    tag,
    summary: 'Returns a content group',
    scope: 'read',
    params,
    response: { 200: dataOf(deskContentGroup) },
    run: ({ params: { id } }) => desk.read(id),
  })

  deskRoute(app, {
    method: 'PATCH',
    url: paths.desk.contentGroup,
    tag,
    summary: 'Changes a content group, and so who may see its content',
    params,
    body: contentGroupChange,
    ifMatch: 'required',
    response: { 200: dataOf(deskContentGroup) },
    run: ({ requester, params: { id }, body, version }) => desk.change(requester, id, body, version),
  })

  deskRoute(app, {
    method: 'DELETE',
    url: paths.desk.contentGroup,
    tag,
    summary: 'Deletes a content group',
    description: 'The group must be empty. The audit log keeps it.',
    params,
    ifMatch: 'required',
    response: { 200: dataOf(z.object({ id: z.string() })) },
    run: ({ requester, params: { id }, version }) => desk.remove(requester, id, version),
  })
}
