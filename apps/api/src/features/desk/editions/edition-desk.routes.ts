import { dataWithRemoved } from '@tidings/contracts/desk/desk'
import {
  deskEdition,
  deskEditionSummary,
  deskMemo,
  editionChange,
  memoChange,
  memoDelivery,
  memoDraft,
  publishRequest,
} from '@tidings/contracts/desk/editions'
import { dataOf, pageOf } from '@tidings/contracts/envelope'
import { describedError } from '@tidings/contracts/errors'
import { paths } from '@tidings/contracts/paths'
import { z } from 'zod'
import { getEditionId } from '#features/editions/index.ts'
import type { App } from '#http/app-type.ts'
import { deskRoute, htmlBodyLimit, idPage } from '../requests/desk-route.ts'
import type { EditionDesk } from './edition-desk.service.ts'
import type { MemoDesk } from './memo-desk.service.ts'

const editionParams = z.object({ key: z.string().describe('MM-DD-YY-slot') })
const memoParams = z.object({ id: z.uuid("must be a memo's id") })
const tag = 'Desk: editions and memos'

export function registerEditionDesk(app: App, desk: EditionDesk): void {
  deskRoute(app, {
    method: 'GET',
    url: paths.desk.editions,
    tag,
    summary: 'Lists editions, newest day first, drafts included',
    scope: 'read',
    query: idPage,
    response: { 200: pageOf(deskEditionSummary) },
    run: ({ query }) => desk.list(query),
  })

  deskRoute(app, {
    method: 'GET',
    url: paths.desk.edition,
    tag,
    summary: 'Returns an edition with its memos',
    description: 'Send the ETag back in If-Match to change it.',
    scope: 'read',
    params: editionParams,
    response: { 200: dataOf(deskEdition) },
    run: ({ params: { key } }) => desk.read(getEditionId(key)),
  })

  deskRoute(app, {
    method: 'PUT',
    url: paths.desk.edition,
    tag,
    summary: 'Creates an edition, or changes its status',
    description:
      '`draft` keeps or withdraws it, `scheduled` publishes it at its slot, `published` publishes it now. If-Match is needed when it exists. `deliver: true` sends a published edition that was never sent.',
    params: editionParams,
    body: editionChange,
    ifMatch: 'optional',
    response: {
      200: dataOf(deskEdition),
      201: dataOf(deskEdition),
      409: describedError(
        'It has changed since it was read, its slot is over, or `deliver: true` is impossible; the message says why',
      ),
    },
    run: ({ requester, params: { key }, body, version }) =>
      desk.put(requester, getEditionId(key), body, version),
  })

  deskRoute(app, {
    method: 'POST',
    url: paths.desk.publish,
    tag,
    summary: 'Publishes an edition now',
    description:
      'Sends each memo as NEW_MEMO, in order. Members get it too if its date is today or tomorrow. Publishing it again changes and sends nothing, but `deliver: true` sends it to members if it was never sent.',
    params: editionParams,
    body: publishRequest,
    response: {
      200: dataOf(deskEdition),
      409: describedError('`deliver: true` is impossible; the message says why'),
    },
    run: ({ requester, params: { key }, body }) => desk.publish(requester, getEditionId(key), body?.deliver),
  })
}

export function registerMemoDesk(app: App, desk: MemoDesk): void {
  deskRoute(app, {
    method: 'POST',
    url: paths.desk.memos,
    tag,
    summary: 'Adds a memo',
    description:
      'In a published edition it is live at once, as NEW_MEMO. `delivery` says whether members get it: not once sending has begun. In a scheduled edition, it is sent with it.',
    params: editionParams,
    body: memoDraft,
    bodyLimit: htmlBodyLimit,
    response: { 201: dataWithRemoved(deskMemo).extend({ delivery: memoDelivery }) },
    run: ({ requester, params: { key }, body }) => desk.add(requester, getEditionId(key), body),
  })

  deskRoute(app, {
    method: 'GET',
    url: paths.desk.memo,
    tag,
    summary: 'Returns a memo',
    scope: 'read',
    params: memoParams,
    response: { 200: dataOf(deskMemo) },
    run: ({ params: { id } }) => desk.read(id),
  })

  deskRoute(app, {
    method: 'PATCH',
    url: paths.desk.memo,
    tag,
    summary: 'Changes a memo; `position` moves it',
    params: memoParams,
    body: memoChange,
    bodyLimit: htmlBodyLimit,
    ifMatch: 'required',
    response: { 200: dataWithRemoved(deskMemo) },
    run: ({ requester, params: { id }, body, version }) => desk.change(requester, id, body, version),
  })

  deskRoute(app, {
    method: 'DELETE',
    url: paths.desk.memo,
    tag,
    summary: 'Deletes a memo',
    description: 'The audit log keeps its text.',
    params: memoParams,
    ifMatch: 'required',
    response: { 200: dataOf(z.object({ id: z.string() })) },
    run: ({ requester, params: { id }, version }) => desk.withdraw(requester, id, version),
  })
}
