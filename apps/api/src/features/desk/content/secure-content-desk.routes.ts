import { dataWithRemoved } from '@tidings/contracts/desk/desk'
import {
  deskSecureContent,
  deskSecureContentSummary,
  secureContentDraft,
} from '@tidings/contracts/desk/secure-content'
import { dataOf, listQuery, pageOf } from '@tidings/contracts/envelope'
import { contentId } from '@tidings/contracts/membership/secure-content'
import { paths } from '@tidings/contracts/paths'
import { z } from 'zod'
import type { App } from '#http/app-type.ts'
import { deskRoute, htmlBodyLimit } from '../requests/desk-route.ts'
import type { SecureContentDesk } from './secure-content-desk.service.ts'

const params = z.object({ contentId })
const tag = 'Desk: secure content'

export function registerSecureContentDesk(app: App, desk: SecureContentDesk): void {
  deskRoute(app, {
    method: 'GET',
    url: paths.desk.secureContents,
    tag,
    summary: 'Lists secure content by id, without the content itself',
    scope: 'read',
    query: listQuery.extend({ after: contentId.optional() }),
    response: { 200: pageOf(deskSecureContentSummary) },
    run: ({ query }) => desk.list(query),
  })

  deskRoute(app, {
    method: 'GET',
    url: paths.desk.secureContent,
    tag,
    summary: 'Returns a piece of secure content',
    description: 'Send the ETag back in If-Match to change it.',
    scope: 'read',
    params,
    response: { 200: dataOf(deskSecureContent) },
    run: ({ params: { contentId } }) => desk.read(contentId),
  })

  deskRoute(app, {
    method: 'PUT',
    url: paths.desk.secureContent,
    tag,
    summary: 'Creates or replaces a piece of secure content',
    description:
      'Members need to satisfy its own permissions and plans, and those of its group. It is live at once, so it needs the scope `publish`. HTML is cleaned; JS and CSS are kept as written, so store only code that the requesting page may run. If-Match is needed when it exists.',
    params,
    body: secureContentDraft,
    bodyLimit: htmlBodyLimit,
    ifMatch: 'optional',
    notFound: false,
    response: { 200: dataWithRemoved(deskSecureContent), 201: dataWithRemoved(deskSecureContent) },
    run: ({ requester, params, body, version }) => desk.put(requester, params.contentId, body, version),
  })

  deskRoute(app, {
    method: 'DELETE',
    url: paths.desk.secureContent,
    tag,
    summary: 'Deletes a piece of secure content',
    description: 'The audit log keeps the content.',
    params,
    ifMatch: 'required',
    response: { 200: dataOf(z.object({ contentId: z.string() })) },
    run: ({ requester, params, version }) => desk.remove(requester, params.contentId, version),
  })
}
