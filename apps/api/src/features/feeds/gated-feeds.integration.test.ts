import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { publishedEdition } from '#test/factories/editions.ts'
import { addApp } from '#test/factories/membership-apps.ts'
import { mailTest, siteTest } from '#test/fixtures.ts'

const it = siteTest().extend('create', { scope: 'file' }, ({ site, members }) => async () => {
  const member = await members.signUp()
  const headers = { ...member.headers, cookie: site.pass }
  const reply = await members.call('POST', '/member/feed', { headers })
  return { ...member, headers, path: new URL(reply.json().data.json).pathname }
})
it.beforeAll(async ({ site }) => {
  await publishedEdition(site.context, '11-19-26-10AM', 1)
})

describe('feeds behind the gate', () => {
  it.for(['/feeds/rss', '/feeds/json'])('%s needs the pass', async (url, { site }) => {
    const refused = await site.app.inject(url)
    const read = await site.app.inject({ url, headers: { cookie: site.pass } })

    expect(refusalOf(refused)).toMatchObject({ status: 401, code: 'gate-required' })
    expect(refused.body).not.toContain('Memo 1')
    expect(read.body).toContain('Memo 1')
    expect(read.headers['cache-control']).toBe('private, no-cache')
  })

  it("a member's needs no pass, but creating its address does", async ({ site, members, create }) => {
    const { path } = await create()
    const { headers } = await members.signUp()

    expect((await site.app.inject(path)).body).toContain('The text of memo 1.')
    expect(refusalOf(await members.call('POST', '/member/feed', { headers }))).toMatchObject({
      status: 401,
      code: 'gate-required',
    })
  })

  it('are not for members of other apps', async ({ site, members }) => {
    const other = await addApp(site, { id: 'app_other', publicKey: 'pk_other' })
    const body = { email: 'other@example.com', password: 'a-long-password' }
    const session = await members.call('POST', '/auth/signup', { headers: other, body })
    const authorization = `Bearer ${session.json().data.tokens.accessToken}`

    const reply = await members.call('POST', '/member/feed', {
      headers: { ...other, authorization, cookie: site.pass },
    })

    expect(refusalOf(reply)).toMatchObject({ status: 403, code: 'access-denied' })
  })
})

const mailIt = mailTest({ env: { SITE_GATE: 'off' } })

describe('the first proof of an address', () => {
  mailIt('from outside a session ends the feed that an earlier owner could have', async ({ site, flows }) => {
    const email = 'proved@example.com'
    const { headers } = await flows.memberOf(email)
    const reply = await flows.members.call('POST', '/member/feed', { headers })
    const path = new URL(reply.json().data.json).pathname
    expect((await site.app.inject(path)).statusCode).toBe(200)

    await flows.use('reset', email, await flows.code('reset', email))

    expect(refusalOf(await site.app.inject(path))).toMatchObject({ status: 404, code: 'feed-not-found' })
  })
})
