import { type DeskRole, deskRole, type EditorScope, editorScope } from '@tidings/contracts/desk/desk'
import { endpoints } from '@tidings/contracts/endpoints'
import { errorReply } from '@tidings/contracts/errors'
import type { LightMyRequestResponse } from 'fastify'
import { describe, expect } from 'vitest'
import { siteTest } from '#test/fixtures.ts'
import { createTestPeople, type TestPerson } from '#test/passkeys/people.ts'
import { addressOf } from '#test/route-table.ts'

const everyone = 'writer moderator editor owner'
const writers = 'writer editor owner'
const publishers = 'editor owner'
const moderators = 'moderator editor owner'

/** The callers of each endpoint of the desk: keys by any one of these scopes, people by any one of these roles. */
const table: Readonly<Record<string, readonly [scopes: string, roles: string]>> = {
  'GET /desk/v1/article-readers': ['read', everyone],
  'GET /desk/v1/articles': ['read', everyone],
  'POST /desk/v1/articles': ['write publish', writers],
  'GET /desk/v1/articles/:id': ['read', everyone],
  'PATCH /desk/v1/articles/:id': ['write publish', writers],
  'DELETE /desk/v1/articles/:id': ['write publish', writers],
  'POST /desk/v1/articles/:id/publish': ['publish', publishers],
  'GET /desk/v1/articles/:id/versions': ['read', everyone],
  'GET /desk/v1/articles/:id/versions/:version': ['read', everyone],
  'GET /desk/v1/articles/:id/versions/:version/comparison': ['read', everyone],
  'POST /desk/v1/articles/:id/versions/:version/restore': ['write', writers],
  'DELETE /desk/v1/articles/:id/working-copy': ['write', writers],
  'GET /desk/v1/articles/:id/working-copy': ['read', everyone],
  'POST /desk/v1/articles/:id/working-copy/publish': ['publish', publishers],
  'PUT /desk/v1/articles/:id/working-copy': ['write', writers],
  'GET /desk/v1/audit': ['read', everyone],
  'GET /desk/v1/comments': ['read', everyone],
  'PATCH /desk/v1/comments/:id': ['publish', moderators],
  'PATCH /desk/v1/comment-authors/:memberId': ['publish', moderators],
  'GET /desk/v1/content-groups': ['read', everyone],
  'POST /desk/v1/content-groups': ['publish', publishers],
  'POST /desk/v1/content-groups/for-plans': ['write', writers],
  'GET /desk/v1/content-groups/:id': ['read', everyone],
  'PATCH /desk/v1/content-groups/:id': ['publish', publishers],
  'DELETE /desk/v1/content-groups/:id': ['publish', publishers],
  'GET /desk/v1/deliverability': ['read', everyone],
  'GET /desk/v1/deliveries': ['read', everyone],
  'POST /desk/v1/deliveries/search': ['read', publishers],
  'POST /desk/v1/deliveries/:id/resolve': ['publish', publishers],
  'GET /desk/v1/digests/:date/deliveries': ['read', everyone],
  'GET /desk/v1/digests/:date/delivery-report': ['read', everyone],
  'POST /desk/v1/digests/:date/deliveries/stop': ['publish', publishers],
  'POST /desk/v1/digests/:date/deliveries/resume': ['publish', publishers],
  'GET /desk/v1/digests/:date/pdf': ['read', everyone],
  'GET /desk/v1/digests/:date/preview/:method': ['read', everyone],
  'POST /desk/v1/digests/:date/test-send': ['publish', writers],
  'GET /desk/v1/editions': ['read', everyone],
  'GET /desk/v1/editions/:key': ['read', everyone],
  'PUT /desk/v1/editions/:key': ['write publish', writers],
  'POST /desk/v1/editions/:key/publish': ['publish', publishers],
  'POST /desk/v1/editions/:key/memos': ['write publish', writers],
  'GET /desk/v1/editions/:key/deliveries': ['read', everyone],
  'GET /desk/v1/editions/:key/delivery-report': ['read', everyone],
  'POST /desk/v1/editions/:key/deliveries/stop': ['publish', publishers],
  'POST /desk/v1/editions/:key/deliveries/resume': ['publish', publishers],
  'GET /desk/v1/editions/:key/pdf': ['read', everyone],
  'GET /desk/v1/editions/:key/preview/:method': ['read', everyone],
  'POST /desk/v1/editions/:key/test-send': ['publish', writers],
  'GET /desk/v1/memos/:id': ['read', everyone],
  'PATCH /desk/v1/memos/:id': ['write publish', writers],
  'DELETE /desk/v1/memos/:id': ['write publish', writers],
  'POST /desk/v1/media': ['write', writers],
  'GET /desk/v1/secure-content': ['read', everyone],
  'GET /desk/v1/secure-content/:contentId': ['read', everyone],
  'PUT /desk/v1/secure-content/:contentId': ['publish', publishers],
  'DELETE /desk/v1/secure-content/:contentId': ['publish', publishers],

  'GET /desk/v1/memos/:id/correction-note': ['read', everyone],
  'POST /desk/v1/memos/:id/correction-note': ['publish', publishers],
  'GET /desk/v1/deliveries/progress': ['read', everyone],
  'GET /desk/v1/comments/counts': ['read', everyone],
  'GET /desk/v1/comments/:id': ['read', everyone],
  'POST /desk/v1/comments/hide': ['publish', moderators],
  'POST /desk/v1/comments/keep': ['publish', moderators],
  'GET /desk/v1/memos': ['read', everyone],
  'GET /desk/v1/media/:file': ['read', everyone],
  'POST /desk/v1/preview/article': ['read', everyone],
  'POST /desk/v1/preview/digest': ['read', everyone],
  'POST /desk/v1/preview/email': ['read', everyone],
  'POST /desk/v1/preview/pdf': ['read', everyone],
  'POST /desk/v1/preview/phone': ['read', everyone],
  'POST /desk/v1/preview/sms': ['read', everyone],
  'POST /desk/v1/links/check': ['write', writers],
  'GET /desk/v1/editions/:key/readiness': ['read', everyone],
  'GET /desk/v1/memos/:id/versions/:version/comparison': ['read', everyone],
  'GET /desk/v1/memos/:id/versions/:version': ['read', everyone],
  'GET /desk/v1/deleted-memos': ['read', everyone],
  'GET /desk/v1/memos/:id/versions': ['read', everyone],
  'POST /desk/v1/deleted-memos/:id/restore': ['write', writers],
  'POST /desk/v1/memos/:id/versions/:version/restore': ['write', writers],
  'DELETE /desk/v1/editions/:key': ['write', writers],
  'DELETE /desk/v1/memos/:id/working-copy': ['write', writers],
  'GET /desk/v1/memos/:id/working-copy': ['read', everyone],
  'POST /desk/v1/memos/:id/move': ['write', writers],
  'POST /desk/v1/memos/:id/working-copy/publish': ['publish', publishers],
  'PUT /desk/v1/editions/:key/order': ['write', writers],
  'GET /desk/v1/editions/:key/reach': ['read', everyone],
  'GET /desk/v1/editions/:key/orders': ['read', everyone],
  'PUT /desk/v1/memos/:id/working-copy': ['write', writers],
  'POST /desk/v1/editions/:key/undo-withdrawal': ['publish', publishers],
  'GET /desk/v1/members/:id': ['publish', publishers],
  'POST /desk/v1/members/:id/lift-suppression': ['publish', publishers],
  'POST /desk/v1/members/search': ['publish', publishers],
  'GET /desk/v1/statistics': ['read', everyone],
  'GET /desk/v1/needs': ['read', everyone],
  'GET /desk/v1/people': ['', everyone],
  'PATCH /desk/v1/people/:id': ['', 'owner'],
  'DELETE /desk/v1/people/:id': ['', 'owner'],
  'POST /desk/v1/people/:id/invitation': ['', 'owner'],
  'GET /desk/v1/invitations': ['', 'owner'],
  'POST /desk/v1/invitations': ['', 'owner'],
  'DELETE /desk/v1/invitations/:id': ['', 'owner'],
  'GET /desk/v1/keys': ['', 'owner'],
  'POST /desk/v1/keys': ['', 'owner'],
  'DELETE /desk/v1/keys/:id': ['', 'owner'],
  'GET /desk/v1/you': ['', everyone],
  'PATCH /desk/v1/you': ['', everyone],
  'POST /desk/v1/you/passkeys': ['', everyone],
  'POST /desk/v1/you/passkeys/options': ['', everyone],
  'DELETE /desk/v1/you/passkeys/:id': ['', everyone],
  'GET /desk/v1/you/sessions': ['', everyone],
  'DELETE /desk/v1/you/sessions/:id': ['', everyone],
  'POST /desk/v1/you/proof': ['', everyone],
  'POST /desk/v1/you/proof/options': ['', everyone],
  'POST /desk/v1/sign-out': ['', everyone],
}

const routes = endpoints.filter(({ access, path }) => access === 'editor' && path.startsWith('/desk/'))
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`

/** Returns whether a call passed the check of scopes and roles. What it does further is for other tests. */
function isAllowed(reply: LightMyRequestResponse): boolean {
  if (reply.statusCode !== 401 && reply.statusCode !== 403) return true
  const { code } = errorReply.parse(reply.json()).error
  return !['invalid-api-key', 'scope-missing', 'role-missing', 'people-only'].includes(code)
}

const it = siteTest()
  .extend('people', { scope: 'file' }, ({ site }) => createTestPeople(site))
  .extend('keys', { scope: 'file' }, async ({ desk }) => {
    const keys: [EditorScope, string][] = []
    for (const scope of editorScope.options) keys.push([scope, (await desk.keyWith(scope)).as])
    return keys
  })
  .extend('roles', { scope: 'file' }, async ({ people }) => {
    const roles: [DeskRole, TestPerson][] = []
    for (const role of deskRole.options) roles.push([role, await people.add(role)])
    return roles
  })

describe('the table of scopes and roles', () => {
  it('names every endpoint of the desk', () => {
    expect(Object.keys(table).toSorted()).toEqual(routes.map(nameOf).toSorted())
  })

  it.for(routes.map((route) => [nameOf(route), route] as const))(
    'decides about %s',
    async ([name, { method, path }], { site, keys, roles }) => {
      const url = addressOf({ method, url: path, access: 'editor' })
      const scopes: string[] = []
      const people: string[] = []
      for (const [scope, authorization] of keys) {
        const reply = await site.app.inject({ method, url, headers: { authorization } })
        if (isAllowed(reply)) scopes.push(scope)
      }
      for (const [role, { id: personId }] of roles) {
        const { database, deskSessions, deskSite } = site.context
        const start = { personId, device: '', isProved: true }
        const { secret } = await deskSessions.start(database.db, start)
        const [origin = ''] = deskSite.origins
        const headers = { cookie: `tidings_desk=${secret}`, origin, 'x-desk': '1' }
        if (isAllowed(await site.app.inject({ method, url, headers }))) people.push(role)
      }
      const nobody = await site.app.inject({ method, url })

      expect([scopes.join(' '), people.join(' ')], name).toEqual(table[name])
      expect(nobody.statusCode).toBe(401)
      expect(nobody.headers['cache-control']).toBe('no-store')
    },
  )
})
