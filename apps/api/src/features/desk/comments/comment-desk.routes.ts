import {
  countComments,
  getCommentContext,
  hideComments,
  keepComments,
  listComments,
  moderateAuthor,
  moderateComment,
} from '@tidings/contracts/desk/comments'
import type { App } from '#http/app-type.ts'
import { registerDesk } from '../requests/register-desk.ts'
import type { CommentDesk } from './comment-desk.service.ts'

export function registerCommentDesk(app: App, desk: CommentDesk): void {
  registerDesk(app, listComments, ({ query }) => desk.list(query))

  registerDesk(app, countComments, () => desk.count())

  registerDesk(app, getCommentContext, ({ params }) => desk.context(params.id))

  registerDesk(app, hideComments, ({ requester, body }) => desk.hide(requester, body.ids, body.hidden))

  registerDesk(app, keepComments, ({ requester, body }) => desk.keep(requester, body.ids))

  registerDesk(app, moderateComment, ({ requester, params: { id }, body }) =>
    desk.moderate(requester, id, body.hidden),
  )

  registerDesk(app, moderateAuthor, ({ requester, params, body }) =>
    desk.moderateAuthor(requester, params.memberId, body.hidden),
  )
}
